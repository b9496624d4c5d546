import { response as express, type Request, type Response } from 'express'
import { badRequest } from '../errors'
import { requireRoomForText } from '../http/heap-room'
import { sendBody } from '../http/prepared-json'

const { jsonp, json, send, set } = express

/** The statuses for which Express leaves the body and its headers out. A user's middleware may set one. */
const WITHOUT_BODY = [204, 205, 304]

/** Whether nobody but Express sees what is passed to `res.jsonp`: a user's middleware may replace it. */
export function isUntouched(response: Response): boolean {
  return response.jsonp === jsonp && response.json === json && response.send === send && response.set === set
}

/**
 * Sends the resource in `response.locals.data`, as json-server does: 404 with an empty object if there is
 * none.
 *
 * @param text the resource as JSON, if it has been made; default: it is made now
 * @throws HttpError as {@link textOf} does
 */
export function sendResource(request: Request, response: Response, text?: string): void {
  const { locals } = response
  if (!locals.data) {
    response.status(404)
    locals.data = {}
  }
  if (isPlain(request, response)) {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    sendBody(request, response, Buffer.from(text ?? textOf(request, locals.data)))
    return
  }
  if (text === undefined) requireRoomForText(locals.data)
  response.jsonp(text === undefined ? locals.data : JSON.parse(text))
}

/**
 * A resource as JSON.
 *
 * @throws HttpError 400 when it is longer than a string can be; 503 when the heap may have no room for it
 */
export function textOf({ app }: Request, resource: unknown): string {
  requireRoomForText(resource)
  try {
    return JSON.stringify(resource, app.get('json replacer'), app.get('json spaces'))
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length')
      throw badRequest(
        'The response would be too large to be sent: ask for a page (_page, _limit), or store less.',
      )
    throw error
  }
}

/** Whether `res.jsonp` would send the JSON of {@link textOf} with no other headers than `sendBody` sets. */
function isPlain({ app, query }: Request, response: Response): boolean {
  return (
    query.callback === undefined &&
    !WITHOUT_BODY.includes(response.statusCode) &&
    isUntouched(response) &&
    !response.hasHeader('Content-Type') &&
    !response.hasHeader('ETag') &&
    app.get('etag') === 'weak' &&
    !app.get('json escape')
  )
}
