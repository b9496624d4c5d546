import type { Handler, HttpRequest, HttpResponse } from '../lib/http/handler'
import { isLeftOutOfLog, reasonOf, targetBefore } from '../lib/http/log/line-notes'
import { printLine } from '../lib/http/log/print-line'
import { redactTarget } from '../lib/http/log/redact-target'
import { type Style, styleFor } from '../lib/style'

/**
 * Logs one line for each request in the format of json-server, which is morgan's `dev`: the method, the
 * target, the status in its colour, the time, the length of the body. The target is without the secrets that
 * it may hold, and with the path to which the rewrite rules have led it. At the end is the reason of a
 * refusal, which its response does not say.
 *
 * @param write receives each line, with its newline. Default: prints it, with colours on a terminal.
 */
export function requestLog(write: (line: string) => unknown = printLine): Handler {
  const style = write === printLine ? styleFor(process.stdout) : unstyled
  return function requestLogMiddleware(request, response, next) {
    const start = performance.now()
    // This event is also emitted when the connection ends before the response.
    response.once('close', () => {
      if (request.url === '/favicon.ico' || isLeftOutOfLog(response)) return
      const time = (performance.now() - start).toFixed(3)
      const status = response.headersSent ? styledStatus(style, response.statusCode) : '-'
      const length = (response.headersSent && response.getHeader('content-length')) || '-'
      const reason = reasonOf(response)
      const end = reason === undefined ? '\n' : ` (${reason})\n`
      write(`${request.method} ${loggedTarget(request, response)} ${status} ${time} ms - ${length}${end}`)
    })
    next()
  }
}

function loggedTarget({ originalUrl }: HttpRequest, response: HttpResponse): string {
  const sent = targetBefore(response)
  const target = redactTarget(originalUrl)
  return sent === undefined ? target : `${redactTarget(sent)} -> ${target}`
}

const unstyled: Style = (_format, text) => text

const COLOURS = ['green', 'cyan', 'yellow', 'red'] as const

function styledStatus(style: Style, status: number): string {
  const colour = COLOURS[Math.floor(status / 100) - 2]
  return colour === undefined ? String(status) : style(colour, String(status))
}
