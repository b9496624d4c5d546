import { parse } from 'node:querystring'
import { json, raw, urlencoded } from 'express'
import { badRequest, HttpError } from '../errors'
import { BODY_LIMITS } from './body-limits'
import type { Handler } from './handler'

/**
 * The types of bodies that are read as JSON. A middleware may read others, such as `application/json-patch+json`, of which no
 * record can be made.
 */
export const JSON_TYPES = ['json', 'application/merge-patch+json', 'application/vnd.api+json']

/**
 * Express's parser of JSON bodies.
 *
 * @param options `limit` in bytes, default: that of records; `strict`: whether a primitive is refused with 400
 * @returns a step that passes on HttpError 413, and the errors of body-parser: 400, 413 for what a small body
 *   unzips to, 415
 */
export function jsonParser({
  limit = BODY_LIMITS.json,
  strict,
}: {
  limit?: number
  strict: boolean
}): Handler {
  return limited(JSON_TYPES, limit, json({ limit, strict, type: JSON_TYPES }))
}

/**
 * Express's parser of forms.
 *
 * @param limit bytes. Default: that of records
 * @returns a step that passes on errors as {@link jsonParser} does
 */
export function formParser(limit: number = BODY_LIMITS.form): Handler {
  return limited('urlencoded', limit, urlencoded({ limit, extended: false }))
}

/** The error for a form of which nothing stores all. */
export function fileError(): HttpError {
  return new HttpError({
    status: 415,
    message:
      `A form with a file, or of more than ${BODY_LIMITS.form / 1024} kB, needs a middleware that stores it: ` +
      '"Upload of pictures" in docs/data.md.',
  })
}

export const MULTIPART = 'multipart/form-data'

/**
 * Reads the texts of `multipart/form-data` (RFC 7578), as those of a form.
 *
 * @param limit bytes
 * @param errorOfFile makes the error for a form with a file. Default: files are left out
 * @returns a step that passes on errors as {@link jsonParser} does
 */
export function multipartParser(limit: number, errorOfFile?: () => HttpError): Handler {
  const read = limited(MULTIPART, limit, raw({ limit, type: MULTIPART }))
  return function multipartParserMiddleware(request, response, next) {
    read(request, response, (error) => {
      const { body, headers } = request
      if (error || !Buffer.isBuffer(body)) return next(error)
      const type = headers['content-type'] ?? MULTIPART
      new Response(body, { headers: { 'Content-Type': type } }).formData().then(
        (form) => {
          const texts = [...form].filter((field): field is [string, string] => typeof field[1] === 'string')
          if (errorOfFile !== undefined && texts.length < [...form].length) return next(errorOfFile())
          request.body = parse(String(new URLSearchParams(texts)), '&', '=', { maxKeys: 0 })
          next()
        },
        () =>
          next(
            badRequest(
              'The multipart/form-data in the body is not valid: let the client set its Content-Type.',
            ),
          ),
      )
    })
  }
}

/**
 * Refuses a body as soon as it is known to be too long. Express's parsers read it to its end before they refuse
 * it, and it may have none. Bodies of another type stay unread.
 */
function limited(type: string | string[], limit: number, parseBody: Handler): Handler {
  return function bodyParserMiddleware(request, response, next) {
    // This is what the parser leaves of a request without a body, or with another one.
    request.body ??= {}
    if (!request.is(type)) return next()
    if (Number(request.headers['content-length'] ?? 0) > limit) return next(bodyTooLarge(limit))
    let length = 0
    let isRefused = false
    const count = (bytes: Buffer) => {
      length += bytes.length
      if (length <= limit) return
      isRefused = true
      request.off('data', count)
      next(bodyTooLarge(limit))
    }
    request.on('data', count)
    parseBody(request, response, (error) => {
      request.off('data', count)
      // The parser refuses such a body as well, but later.
      if (!isRefused) next(error)
    })
  }
}

/** @param limit bytes */
function bodyTooLarge(limit: number): HttpError {
  const kilobytes = (limit / 1024).toLocaleString('en')
  const error = new HttpError({ status: 413, message: `The request body is larger than ${kilobytes} kB.` })
  // An error handler of the user's may look for the type that body-parser gives it.
  return Object.assign(error, { type: 'entity.too.large' })
}
