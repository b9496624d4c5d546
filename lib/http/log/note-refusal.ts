import type { RequestHandler } from 'express'
import { isRecord } from '../../is-record'
import { logNotes } from './log-notes'
import { holdsSecret, REDACTED } from './redact-target'

/** Characters of a message of a user's middleware that the log shows. */
const MOST_SHOWN = 100

/**
 * Comes before the user's middlewares: what one of them says in a 4xx, as a text, or in JSON as its `message` or
 * `error`, is the reason in the log.
 */
export const noteRefusal: RequestHandler = (_request, response, next) => {
  // Express ends every response with this. Where another function is replaced, a record is not sent as its text.
  const { end } = response
  response.end = (...parameters: unknown[]) => {
    const [body] = parameters
    const isRefusal = response.statusCode >= 400 && response.statusCode < 500
    const isBody = typeof body === 'string' || Buffer.isBuffer(body)
    const said = isRefusal && isBody ? messageIn(parsed(String(body))) : undefined
    if (said !== undefined) logNotes(response).reason ??= shown(said)
    return Reflect.apply(end, response, parameters)
  }
  next()
}

/** The value of a text in JSON, or else the text, unless that is a page or a script. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return /[<{]/.test(text) ? undefined : text
  }
}

function messageIn(said: unknown): string | undefined {
  if (typeof said === 'string' && said !== '') return said
  return isRecord(said) ? (messageIn(said.message) ?? messageIn(said.error)) : undefined
}

/** Without what would begin another line, or is a token. */
function shown(said: string): string {
  const words = said.split(/[\s\p{C}]+/u).map((word) => (holdsSecret(word) ? REDACTED : word))
  return words.join(' ').slice(0, MOST_SHOWN)
}
