import type { Handler, HttpRequest } from '../lib/http/handler'
import { printLine } from '../lib/http/log/print-line'
import type { LoggedRequest } from '../lib/http/log/recent-requests'
import { REDACTED, redactTarget } from '../lib/http/log/redact-target'
import { notesOf } from '../lib/http/notes'
import { whenAnswered } from '../lib/http/response-end'
import { SANDBOX_HEADER } from '../lib/http/sandbox-header'
import { inOneLine, type Style, styleFor } from '../lib/style'

/** Is told of each request when it has been answered. */
type ReportRequest = (logged: LoggedRequest, request: HttpRequest) => void

/** The name of the header as Node has it. */
const SANDBOX_KEY = SANDBOX_HEADER.toLowerCase()

/** Said to whoever names a sandbox: a test that believes to be apart changes the data of all others. */
const NO_SANDBOXES = `without --sandboxes, ${SANDBOX_HEADER} names no sandbox: all requests share the data`

interface RequestLogOptions {
  /** Whether the server has sandboxes; if not, a request that names one is told so. Default: true. */
  hasSandboxes?: boolean
}

/**
 * Tells of each request what its line in the log says, once it is answered.
 *
 * @param reports Default: prints a line
 */
export function requestLog(
  reports: readonly ReportRequest[] = [printRequest()],
  { hasSandboxes = true }: RequestLogOptions = {},
): Handler {
  return function requestLogMiddleware(request, response, next) {
    const start = performance.now()
    whenAnswered(response, () => {
      const isIgnored = !hasSandboxes && request.headers[SANDBOX_KEY] !== undefined
      const { sandbox, reason = isIgnored ? NO_SANDBOXES : undefined, isUnlogged } = notesOf(request)
      if (request.path === '/favicon.ico' || isUnlogged) return
      const logged = {
        sandbox,
        ...loggedLine(request),
        status: response.headersSent ? response.statusCode : undefined,
        time: performance.now() - start,
        length: String((response.headersSent && response.getHeader('content-length')) || '-'),
        reason: reason === undefined ? undefined : inOneLine(reason),
      }
      for (const report of reports) report(logged, request)
    })
    next()
  }
}

/**
 * Prints one line for each request in the format of json-server, which is morgan's `dev`: the method, the
 * target, the status in its colour, the time, the length of the body. In front is the sandbox that the
 * request was for, in brackets; at the end is the reason of a refusal or a failure, in parentheses.
 *
 * @param write receives each line, with its newline. Default: prints it, with colours on a terminal.
 */
export function printRequest(write: (line: string) => unknown = printLine): ReportRequest {
  const style = write === printLine ? styleFor(process.stdout) : unstyled
  return ({ sandbox, method, target, status, time, length, reason }) => {
    const shown = status === undefined ? '-' : styledStatus(style, status)
    const front = sandbox === undefined ? '' : `[${sandbox}] `
    const end = reason === undefined ? '\n' : ` (${reason})\n`
    write(`${front}${method} ${target} ${shown} ${time.toFixed(3)} ms - ${length}${end}`)
  }
}

/** The method and the target, as they were sent and as the rewrite rules have made them. */
function loggedLine(request: HttpRequest): Pick<LoggedRequest, 'method' | 'target'> {
  const { method, originalUrl } = request
  const { sentMethod, sentTarget, passwords = [] } = notesOf(request)
  const shown = redactTarget(originalUrl, passwords)
  if (sentTarget === undefined && sentMethod === undefined) return { method, target: shown }
  // A rule may say of a part of the path that it is a password.
  const sent = shown === originalUrl ? redactTarget(sentTarget ?? originalUrl, passwords) : REDACTED
  return sentMethod === undefined
    ? { method, target: `${sent} -> ${shown}` }
    : { method: sentMethod, target: `${sent} -> ${method} ${shown}` }
}

const unstyled: Style = (_format, text) => text

const COLOURS = ['green', 'cyan', 'yellow', 'red'] as const

function styledStatus(style: Style, status: number): string {
  const colour = COLOURS[Math.floor(status / 100) - 2]
  return colour === undefined ? String(status) : style(colour, String(status))
}
