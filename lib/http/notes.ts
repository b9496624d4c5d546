import type { IncomingMessage } from 'node:http'

/** What any step, of whatever server or middleware, may say of a request, for its line in the log and on the page of requests. */
export interface Notes {
  /** Why it is answered as it is: a clause that holds nothing that it has sent but names and ids, which the line shows, too. */
  reason?: string
  /** Its method as it was sent, if a rule or a step has changed it. */
  sentMethod?: string
  /** Its target as it was sent, if the rewrite rules have changed it. */
  sentTarget?: string
  /** What they have taken off in front of its path, as of all paths of an application. */
  prefix?: string
  /** Which of the fault rules has acted on it, from 1. */
  faultRule?: number
  /** The sandbox that it is for. One that asks for the page of requests is shown those of its sandbox alone. */
  sandbox?: string
  /** Texts of it that were compared as a password, whatever their fields are called. */
  passwords?: readonly string[]
  /** Whether the log has no line of it, because it says nothing of what people or their applications do. */
  isUnlogged?: boolean
}

const known = new WeakMap<IncomingMessage, Notes>()

/** The notes about a request. What one server must not believe of another stands in its own contexts. */
export function notesOf(request: IncomingMessage): Notes {
  const found = known.get(request)
  if (found !== undefined) return found
  const notes: Notes = {}
  known.set(request, notes)
  return notes
}
