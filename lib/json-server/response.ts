import { response as expressResponse } from 'express'
import { badRequest } from '../errors'
import type { HttpRequest, HttpResponse } from '../http/handler'
import { JSON_TYPE } from '../http/send-json'
import { isRecord } from '../is-record'
import { derived } from './derived'

const { jsonp, send } = expressResponse

const texts = derived<Buffer>()

/** Records in a list whose text is remembered: twenty orders of 100,000 records would keep 460 MB. */
const LONGEST_REMEMBERED = 1000

/**
 * Prepares the response with a resource, as json-server sends it: 404 with an empty object if there is none.
 * Its text is made now: where that fails, a change can still be left out, and whatever happens to the data
 * while a change is written, the response reports this one.
 *
 * A user's middleware may change what it is given, or what it finds in `response.locals.data`. So it gets a
 * copy, and stored records only become text.
 *
 * @param resource what is stored, or made for this request
 * @param show gives what is sent of it. Default: all
 * @returns sends the response
 * @throws HttpError 400 when the text is longer than a string can be, or the resource nested deeper than the
 *   stack
 */
export function responseWith(
  request: HttpRequest,
  response: HttpResponse,
  resource: unknown,
  show = (value: unknown): unknown => value,
): () => void {
  if (!resource) response.statusCode = 404
  const shown = resource ? (show(resource) ?? null) : {}
  const text = resourceText(request, shown)
  if (isSentAsText(request, response)) {
    response.locals.data = shown
    return () => {
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('Content-Type', JSON_TYPE)
      response.send(text)
    }
  }
  response.locals.data = JSON.parse(String(text))
  return () => response.jsonp(response.locals.data)
}

/** A resource as JSON, which is remembered of a list: json-server takes 3 ms for one of 1,000 records. */
function resourceText({ app }: HttpRequest, resource: unknown): Buffer {
  const setting = app.get('json spaces')
  const spaces = typeof setting === 'string' ? setting : Number(setting ?? 0)
  const make = () => Buffer.from(JSON.stringify(resource, undefined, spaces))
  try {
    const isRemembered = Array.isArray(resource) && resource.length <= LONGEST_REMEMBERED
    return isRemembered ? texts(resource, String(spaces), make) : make()
  } catch (error) {
    // JSON.stringify throws it where a string would be too long or the stack too small.
    if (error instanceof RangeError)
      throw badRequest(
        'The response would be too large, or nested too deep, to be sent: ask for a page (_page, _limit), ' +
          'or store less.',
      )
    throw error
  }
}

/** Whether nobody has to do with the response but Express, and `res.jsonp` would send the text as it is. */
export function isSentAsText({ app, query }: HttpRequest, response: HttpResponse): boolean {
  return (
    response.jsonp === jsonp &&
    response.send === send &&
    !Object.getOwnPropertyDescriptor(response.locals, 'data')?.set &&
    !response.hasHeader('Content-Type') &&
    !app.get('json replacer') &&
    !app.get('json escape') &&
    (!isRecord(query) || query[String(app.get('jsonp callback name'))] === undefined)
  )
}

/** Whether a middleware has put functions of its own in the place of those that send: it may change what they send. */
export function isSentByOthers(response: HttpResponse): boolean {
  return Object.hasOwn(response, 'write') || Object.hasOwn(response, 'end')
}
