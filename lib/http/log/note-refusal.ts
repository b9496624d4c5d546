import type { RequestHandler } from 'express'
import { isRecord } from '../../is-record'
import { logNotes } from './log-notes'
import { REDACTED, redactTarget } from './redact-target'

/** Characters of a message of a user's middleware that the log shows. */
const MOST_SHOWN = 100

/**
 * Comes before the user's middlewares: what one of them says in the JSON of a 4xx, as its `message` or `error`, is the
 * reason in the log.
 */
export const noteRefusal: RequestHandler = (_request, response, next) => {
  const { json } = response
  response.json = (body) => {
    const isRefusal = response.statusCode >= 400 && response.statusCode < 500
    const said = isRefusal ? messageIn(body) : undefined
    if (said !== undefined) logNotes(response).reason ??= shown(said)
    return json.call(response, body)
  }
  next()
}

function messageIn(body: unknown): string | undefined {
  const { message, error } = isRecord(body) ? body : {}
  const said = [message, error].find((text) => typeof text === 'string' && text !== '')
  return typeof said === 'string' ? said : isRecord(error) ? messageIn(error) : undefined
}

/** Without what would begin another line, or is a token. */
function shown(said: string): string {
  const words = said.split(/[\s\p{C}]+/u).map((word) => (redactTarget(word) === word ? word : REDACTED))
  return words.join(' ').slice(0, MOST_SHOWN)
}
