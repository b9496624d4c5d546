import type { RequestHandler } from 'express'
import morgan from 'morgan'

export interface RequestLogOptions {
  /** Receives each line, with its newline. Default: the standard output. */
  write?: (line: string) => void
}

/** Logs one line a request, as json-server prints it, without the secrets that a URL may carry. */
export function requestLog({
  write = (line) => process.stdout.write(line),
}: RequestLogOptions = {}): RequestHandler {
  return morgan('dev', {
    skip: (request) => request.url === '/favicon.ico',
    stream: { write: (line) => write(redact(line)) },
  })
}

/** Blanks the values of query parameters named like a secret, and whatever looks like a JWT. */
export function redact(line: string): string {
  return line
    .replace(/([?&][^=&\s]*(?:password|token|secret)[^=&\s]*=)[^&\s]*/gi, '$1***')
    .replace(/\beyJ[\w-]+\.[\w-]*\.[\w-]*/g, '***')
}
