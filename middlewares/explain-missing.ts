import type { RequestHandler } from 'express'
import type { Data } from '../lib/data/valid-data'
import { keepReason } from '../lib/http/log/line-notes'
import { whyMissing } from '../lib/json-server/why-missing'

/**
 * Lets the log say why the router, which comes next, responds with 404, because its response is `{}`.
 *
 * @param state gives the data as it is when the response has been sent
 */
export function explainMissing(state: () => Data): RequestHandler {
  return function explainMissingMiddleware({ method, path }, response, next) {
    keepReason(response, () => (response.statusCode === 404 ? whyMissing(method, path, state()) : undefined))
    next()
  }
}
