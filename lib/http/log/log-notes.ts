/** What the log says of a response beside what was sent. */
interface LogNotes {
  /** A clause or a sentence that says why. It holds nothing that a request sent but names and ids, which the line shows, too. */
  reason?: string
  /** The target of the request, as it was before the rewrite rules changed it. */
  target?: string
  /** Texts of the request that were compared as a password, whatever their fields are called. */
  passwords?: readonly string[]
  /** The sandbox that the request was for. */
  sandbox?: string
  /** Whether there is no line, because the response says nothing of what people or their applications do. */
  isLeftOut?: boolean
}

const notes = new WeakMap<object, LogNotes>()

/** What the log says of a response: whoever knows something writes it down here. */
export function logNotes(response: object): LogNotes {
  const known = notes.get(response)
  if (known !== undefined) return known
  const added: LogNotes = {}
  notes.set(response, added)
  return added
}
