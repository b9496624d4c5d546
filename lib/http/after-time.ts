import type { ServerResponse } from 'node:http'
import { whenClosed } from './response-end'

/**
 * Goes on with a request after a time, unless its client has disconnected by then: it wants no response any more, and
 * no change.
 *
 * @param milliseconds 0 or less for at once
 */
export function afterTime(milliseconds: number, response: ServerResponse, proceed: () => void): void {
  if (milliseconds <= 0) proceed()
  else {
    const waiting = setTimeout(proceed, milliseconds)
    whenClosed(response, () => clearTimeout(waiting))
  }
}
