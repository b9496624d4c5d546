import { METHODS } from 'node:http'
import type { HttpRequest } from './handler'

/** The header that gives a POST another method. */
export const METHOD_OVERRIDE = 'X-HTTP-Method-Override'

const HEADER = METHOD_OVERRIDE.toLowerCase()

/**
 * The method in the header of a request, as json-server's router reads it, but never HEAD: Express would then announce a
 * body that it leaves out, and the client, or a proxy in front of many, would take the next response for it.
 */
export function methodInHeader({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const [method = ''] = String(headers[HEADER]).split(',')
  return /^\s*HEAD\s*$/i.test(method) ? undefined : method.trim()
}

/** Whether a request has sent the header. */
export function hasMethodInHeader({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  return headers[HEADER] !== undefined
}

/** The method that a request will have. */
export function overriddenMethod(request: Pick<HttpRequest, 'method' | 'headers'>): string {
  if (request.method !== 'POST') return request.method
  const method = methodInHeader(request)?.toUpperCase() ?? ''
  return METHODS.includes(method) ? method : request.method
}

/** Gives a request a method that no header changes any more. */
export function setMethod(request: HttpRequest, method: string): void {
  const { [HEADER]: _, ...headers } = request.headers
  request.method = method
  request.headers = headers
}
