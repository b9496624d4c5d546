import { formParser, jsonParser } from './body-parsers'
import type { Handler, HttpRequest, HttpResponse } from './handler'

/**
 * Makes a function that parses the JSON or form body of a login or a sign-up, unless another parser has read it: a body can
 * be read only once. The parser is not strict: a body such as `null` is JSON, so it is a login with missing fields.
 *
 * @param limit bytes
 * @param multipart a parser for `multipart/form-data`. Default: it stays unread
 * @returns one that rejects with an error of status 400 or 413 when the body cannot be read
 */
export function readLoginBody(limit: number, multipart?: Handler) {
  const parsers = [jsonParser({ limit, strict: false }), formParser(limit), multipart ?? []].flat()
  return async (request: HttpRequest, response: HttpResponse): Promise<void> => {
    if (!request.readable) return
    for (const parse of parsers)
      await new Promise<void>((resolve, reject) => {
        parse(request, response, (error) => (error ? reject(error) : resolve()))
      })
  }
}
