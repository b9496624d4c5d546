import type { RequestHandler } from 'express'
import morgan, { type FormatFn } from 'morgan'
import { isLeftOutOfLog, reasonOf, targetBefore } from '../lib/http/log/line-notes'
import { redactTarget } from '../lib/http/log/redact-target'

/** The format of json-server's log, with its colours. */
const developerLine = formatNamed('dev')

/** What morgan puts into a line, with a target without secrets, and where rewrite rules have led it. */
const tokens: morgan.TokenIndexer = Object.assign(Object.create(morgan), {
  // A user's middleware may replace the URL by something else, and an error here would end the process.
  url({ originalUrl }: { originalUrl: unknown }, response: object): string {
    const sent = targetBefore(response)
    const target = redactTarget(String(originalUrl))
    return sent === undefined ? target : `${redactTarget(sent)} -> ${target}`
  },
})

/**
 * Logs one line for each request, as json-server does, without the secrets that the request target may hold,
 * with the path to which the rewrite rules have led it, and with the reason of a refusal, which its response
 * does not say.
 *
 * @param write receives each line, with its newline
 */
export function requestLog(write: (line: string) => unknown = print): RequestHandler {
  const format: FormatFn = (_tokens, request, response) => {
    const line = developerLine(tokens, request, response)
    const reason = reasonOf(response)
    return reason === undefined ? line : `${line} (${reason})`
  }
  return morgan(format, {
    skip: (request, response) => request.url === '/favicon.ico' || isLeftOutOfLog(response),
    stream: { write },
  })
}
/** morgan keeps its formats as properties that its types do not have. */
function formatNamed(name: string): FormatFn {
  const format: unknown = Reflect.get(morgan, name)
  if (!isFormat(format)) throw new Error(`morgan has no format "${name}": install morgan 1.`)
  return format
}

function isFormat(value: unknown): value is FormatFn {
  return typeof value === 'function'
}

/**
 * Drops a line that cannot be written, because the disk is full or nobody reads the pipe any more. Node then
 * emits an error, in the same turn of the event loop, and without a listener that would end the process.
 * Whoever embeds the server may have one.
 */
function print(line: string): void {
  const { stdout } = process
  stdout.write(line, (error) => {
    if (!error || stdout.listenerCount('error') > 0) return
    const drop = () => {}
    stdout.on('error', drop)
    setImmediate(() => stdout.off('error', drop))
  })
}
