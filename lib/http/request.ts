import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors'

/** What a request asks for, without a query. */
export interface RequestLine {
  readonly method: string
  /** Still encoded. */
  readonly path: string
}

/** A path as Express compares it with that of a route: case and a slash at the end do not matter. */
export function comparablePath(path: string): string {
  return path.toLowerCase().replace(/\/$/, '')
}

/** Why a path cannot be decoded. */
export const BAD_PATH = 'The path is not valid: a % in it must begin the code of a UTF-8 character.'

/**
 * Decodes a path, or a part of one.
 *
 * @throws HttpError 400 when a percent sign in it does not begin the code of a UTF-8 character
 */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new HttpError({ status: 400, message: BAD_PATH })
  }
}

/** Whether a request announces a body of at least one byte (RFC 9112 section 6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a request reads and changes nothing (RFC 9110 section 9.2.1). */
export function isRead({ method }: Pick<IncomingMessage, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}
