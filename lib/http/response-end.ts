import type { ServerResponse } from 'node:http'

/** Emitted by a response when a stream begins in it. */
export const STREAM_BEGUN = Symbol('a stream has begun')

/**
 * Calls the listener when a response has been sent, or its connection is lost; at once where that has happened already, as
 * the response would never say so again.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener()
  else response.once('close', listener)
}

/** Calls the listener then, or when a stream has begun in the response. */
export function whenAnswered(response: ServerResponse, listener: () => void): void {
  const answered = (): void => {
    response.off('close', answered).off(STREAM_BEGUN, answered)
    listener()
  }
  response.on(STREAM_BEGUN, answered)
  whenClosed(response, answered)
}
