import type { RequestHandler } from 'express'
import morgan from 'morgan'
import { redactTarget } from '../lib/http/log/redact-target'

/**
 * Logs one line for each request, as json-server does, without the secrets that the request target may hold.
 *
 * @param write receives each line, with its newline
 */
export function requestLog(write: (line: string) => unknown = print): RequestHandler {
  return morgan('dev', {
    skip: (request) => request.url === '/favicon.ico',
    stream: { write: (line) => write(line.split(' ').map(redactTarget).join(' ')) },
  })
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
