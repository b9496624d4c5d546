import { maxHeaderSize } from 'node:http'
import type { RequestHandler } from 'express'
import { badRequest, HttpError } from '../lib/errors'
import { parseQuery } from '../lib/http/express/own-query'
import { inOrder } from '../lib/http/express/steps'
import { hasBody } from '../lib/http/request'
import { queryOfRead } from '../lib/http/rewrite-rules'
import { isObject, isRecord } from '../lib/is-record'
import { checkContent, checkSentBody } from '../lib/json-server/guards'
import { parseMultipart } from './parse-body'

/**
 * Comes after the parsers: where a rewrite rule has made a GET of a request with a body, the fields of the body become its
 * query, as if they stood between that of the rule and that of the URL. Of several with one name, the last counts.
 */
export function bodyAsQuery(): RequestHandler {
  // A search has no file that a middleware of the user's would store.
  const follow = inOrder([parseMultipart(), addBodyToQuery])
  return function bodyAsQueryMiddleware(request, response, next) {
    if (hasBody(request) && queryOfRead(request) !== undefined) follow(request, response, next)
    else next()
  }
}

const addBodyToQuery: RequestHandler = (request, _response, next) => {
  checkSentBody(request)
  const text = queryOf(request.body)
  request.body = {}
  if (text === '') return next()
  const url = `${request.url}${request.url.includes('?') ? '&' : '?'}${text}`
  const sent = parseQuery(request, queryOfRead(request) ?? '')
  const query = { ...request.query, ...parseQuery(request, text), ...sent }
  // json-server makes of it the links to other pages.
  Object.assign(request, { url, originalUrl: url, query })
  next()
}

/**
 * The fields of a body as a query; null is no value.
 *
 * @throws HttpError 400 for an object in one, 413 for what no GET could send
 */
function queryOf(body: unknown): string {
  if (!isRecord(body)) throw badRequest('The body of a search must be a JSON object, in braces, or a form.')
  checkContent(body)
  const query: string[] = []
  let length = 0
  for (const [name, value] of Object.entries(body))
    for (const item of [value].flat()) {
      if (isObject(item))
        throw badRequest(
          `The field "${name}" of a search must be a text, a number, true or false, or a list of these.`,
          'a field of a search holds an object',
        )
      if (item === null || item === undefined) continue
      const text = String(new URLSearchParams([[name, String(item)]]))
      query.push(text)
      length += text.length + 1
      if (length > maxHeaderSize)
        throw new HttpError({
          status: 413,
          message: `The body of a search must not be longer than a query: ${maxHeaderSize / 1024} kB.`,
        })
    }
  return query.join('&')
}
