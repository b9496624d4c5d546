import type { RequestHandler } from 'express'
import morgan from 'morgan'
import { redactTarget } from '../lib/http/redact-target'

export interface RequestLogOptions {
  /** Receives each line, with its newline. Default: the standard output. */
  write?: (line: string) => void
}

/** Logs one line for each request, as json-server does, without the secrets that the request target may hold. */
export function requestLog({
  write = (line) => process.stdout.write(line),
}: RequestLogOptions = {}): RequestHandler {
  return morgan('dev', {
    skip: (request) => request.url === '/favicon.ico',
    stream: { write: (line) => write(line.split(' ').map(redactTarget).join(' ')) },
  })
}
