import type { RequestHandler } from 'express'
import morgan from 'morgan'
import { redactTarget } from '../lib/http/redact-target'

/**
 * Logs one line for each request, as json-server does, without the secrets that the request target may hold.
 *
 * @param write receives each line, with its newline
 */
export function requestLog(write = (line: string): unknown => process.stdout.write(line)): RequestHandler {
  return morgan('dev', {
    skip: (request) => request.url === '/favicon.ico',
    stream: { write: (line) => write(line.split(' ').map(redactTarget).join(' ')) },
  })
}
