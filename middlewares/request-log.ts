import { whenAnswered } from '../lib/http/event-stream'
import type { Handler, HttpRequest } from '../lib/http/handler'
import { printLine } from '../lib/http/log/print-line'
import { REDACTED, redactTarget } from '../lib/http/log/redact-target'
import { notesOf } from '../lib/http/notes'
import { type Style, styleFor } from '../lib/style'

/**
 * Logs one line for each request in the format of json-server, which is morgan's `dev`: the method, the
 * target, the status in its colour, the time, the length of the body. The target is without the secrets that
 * it may hold, and with the path to which the rewrite rules have led it. In front is the sandbox that the
 * request was for, in brackets; at the end is the reason of a refusal or a failure, in parentheses.
 *
 * @param write receives each line, with its newline. Default: prints it, with colours on a terminal.
 */
export function requestLog(write: (line: string) => unknown = printLine): Handler {
  const style = write === printLine ? styleFor(process.stdout) : unstyled
  return function requestLogMiddleware(request, response, next) {
    const start = performance.now()
    whenAnswered(response, () => {
      const { sandbox, reason, isUnlogged } = notesOf(request)
      if (request.path === '/favicon.ico' || isUnlogged) return
      const time = (performance.now() - start).toFixed(3)
      const status = response.headersSent ? styledStatus(style, response.statusCode) : '-'
      const length = (response.headersSent && response.getHeader('content-length')) || '-'
      const front = sandbox === undefined ? '' : `[${sandbox}] `
      const end = reason === undefined ? '\n' : ` (${printableReason(reason)})\n`
      write(`${front}${loggedLine(request)} ${status} ${time} ms - ${length}${end}`)
    })
    next()
  }
}

/** The method and the target, as they were sent and as the rewrite rules have made them. */
function loggedLine(request: HttpRequest): string {
  const { method, originalUrl } = request
  const { sentMethod, sentTarget, passwords = [] } = notesOf(request)
  const shown = redactTarget(originalUrl, passwords)
  if (sentTarget === undefined && sentMethod === undefined) return `${method} ${shown}`
  // A rule may say of a part of the path that it is a password.
  const sent = shown === originalUrl ? redactTarget(sentTarget ?? originalUrl, passwords) : REDACTED
  return sentMethod === undefined
    ? `${method} ${sent} -> ${shown}`
    : `${sentMethod} ${sent} -> ${method} ${shown}`
}

/**
 * A reason may name a field that a stranger has made up: without what would begin another line, or what a terminal takes
 * for a command.
 */
function printableReason(reason: string): string {
  return reason.replace(/\p{C}+/gu, ' ')
}

const unstyled: Style = (_format, text) => text

const COLOURS = ['green', 'cyan', 'yellow', 'red'] as const

function styledStatus(style: Style, status: number): string {
  const colour = COLOURS[Math.floor(status / 100) - 2]
  return colour === undefined ? String(status) : style(colour, String(status))
}
