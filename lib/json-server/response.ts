import { response as expressResponse, type Request, type Response } from 'express'
import { badRequest } from '../errors'
import { lodash } from './lodash'

/**
 * Sends the resource in `response.locals.data`, as json-server does: 404 with an empty object if there is
 * none.
 */
export function sendResource(_request: Request, response: Response): void {
  const { locals } = response
  if (!locals.data) {
    response.status(404)
    locals.data = {}
  }
  // A user's middleware may have replaced it, and then change what it is given.
  const isOurs = response.jsonp === expressResponse.jsonp
  response.jsonp(isOurs ? locals.data : lodash().cloneDeep(locals.data))
}

/** Turns what a too large response throws into HttpError 400: a longer string than there can be, or a deeper stack. */
export function explainTooLarge(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error
  return badRequest(
    'The response would be too large, or nested too deep, to be sent: ask for a page (_page, _limit), ' +
      'or store less.',
  )
}
