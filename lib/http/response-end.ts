import type { ServerResponse } from 'node:http'

/**
 * Calls the listener when a response has been sent, or its connection is lost; at once where that has happened already, as
 * the response would never say so again.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener()
  else response.once('close', listener)
}
