import { response as express, type Request, type Response } from 'express'
import { textOfPage } from '../data/record-texts'
import { badRequest } from '../errors'
import { sendBody } from '../http/send-json'

const { jsonp, json, send, set } = express

/** The statuses for which Express leaves the body and its headers out. A user's middleware may set one. */
const WITHOUT_BODY = [204, 205, 304]

export interface SendingOptions {
  /** The resource as JSON, if it has been made. Default: it is made now. */
  text?: string | undefined
  /** Whether it is of stored records, which never change. Default: false. */
  isStored?: boolean
}

/**
 * Sends the resource in `response.locals.data`, as json-server does: 404 with an empty object if there is
 * none.
 *
 * @throws HttpError as {@link textOf} does
 */
export function sendResource(
  request: Request,
  response: Response,
  { text, isStored = false }: SendingOptions = {},
): void {
  const { locals } = response
  if (!locals.data) {
    response.status(404)
    locals.data = {}
  }
  if (isPlain(request, response)) {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    sendBody(request, response, Buffer.from(text ?? textOf(request, locals.data, isStored)))
    return
  }
  // A copy: a user's middleware may change what it is given.
  response.jsonp(JSON.parse(text ?? textOf(request, locals.data)))
}

/**
 * A resource as JSON.
 *
 * @param isStored whether it is of stored records, which never change: see {@link textOfPage}
 * @throws HttpError 400 when it is longer than a string can be; 503 when the heap may have no room for it
 */
export function textOf({ app }: Request, resource: unknown, isStored = false): string {
  const spaces = app.get('json spaces')
  try {
    const isPage = isStored && Array.isArray(resource) && spaces === 2
    return (isPage ? textOfPage(resource) : undefined) ?? JSON.stringify(resource, undefined, spaces)
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Invalid string length')
      throw badRequest(
        'The response would be too large to be sent: ask for a page (_page, _limit), or store less.',
      )
    throw error
  }
}

/** Whether `res.jsonp` would send the JSON of {@link textOf} with the headers that are set here. */
function isPlain({ app, query }: Request, response: Response): boolean {
  return (
    query.callback === undefined &&
    !WITHOUT_BODY.includes(response.statusCode) &&
    // A user's middleware may replace these.
    response.jsonp === jsonp &&
    response.json === json &&
    response.send === send &&
    response.set === set &&
    !response.hasHeader('Content-Type') &&
    !response.hasHeader('ETag') &&
    app.get('etag') === 'weak' &&
    !app.get('json replacer') &&
    !app.get('json escape')
  )
}
