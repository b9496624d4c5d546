import type { Request, RequestHandler } from 'express'
import { isFunction, isRecord } from '../../is-record'

/**
 * Gives a request its query as a value, where a step can change it for those after it. In an application of
 * Express 5 that this one is a part of, `query` is a getter, which parses it again for each reader; and in a
 * router of Express 5, Express 4 finds that getter first and then takes it away with the prototype.
 */
export const ownQuery: RequestHandler = (request, _response, next) => {
  if (!Object.hasOwn(request, 'query'))
    Object.defineProperty(request, 'query', {
      value: parseQuery(request, /\?([^#]*)/.exec(request.url)?.[1]),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  next()
}

/** A query as the application of a request parses that of a URL. */
export function parseQuery({ app }: Request, text: string | undefined): object {
  const parse: unknown = app.get('query parser fn')
  const query = isFunction(parse) ? parse(text) : {}
  return isRecord(query) ? query : {}
}
