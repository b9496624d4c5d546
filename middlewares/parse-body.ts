import { type RequestHandler, urlencoded } from 'express'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { inOrder } from '../lib/http/express/steps'
import { isJsonAsForm, JSON_AS_FORM } from '../lib/http/json-as-form'
import { logNotes } from '../lib/http/log/log-notes'
import { readJson } from '../lib/http/read-json'
import { hasBody } from '../lib/http/request'
import { isRecord } from '../lib/is-record'
import { noteUnreadBody } from '../lib/json-server/guards'
import { requireMemory } from '../lib/memory'

/**
 * json-server's body parsers with their limits. A body of another type stays unread, for the user's own
 * middlewares.
 */
export function parseBody(): RequestHandler {
  const parse = inOrder([
    readJson({ strict: true }),
    urlencoded({ limit: BODY_LIMITS.form, extended: false, verify: requireMemory }),
    noteUnreadBody,
    noteJsonAsForm,
  ])
  return function parseBodyMiddleware(request, response, next) {
    // The parsers of Express 4 do not see that those of Express 5 have read a body.
    if (hasBody(request) && !request.readableEnded) return parse(request, response, next)
    // The parsers would leave the same, and take 2 % of what a GET of a record takes.
    request.body ??= {}
    next()
  }
}

/** json-server stores such a record, which is never what was meant: the log says why. */
const noteJsonAsForm: RequestHandler = (request, response, next) => {
  if (request.is('urlencoded') && isRecord(request.body) && isJsonAsForm(request.body))
    logNotes(response).reason = JSON_AS_FORM
  next()
}
