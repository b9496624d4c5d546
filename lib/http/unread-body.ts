/** The empty objects that Express's parsers leave as the body of a request whose content type they ignore. */
const placeholders = new WeakSet<object>()

/** @param body as the parsers have left it */
export function keepPlaceholder(body: object): void {
  placeholders.add(body)
}

/** Whether a body is still what the parsers have left: a middleware has put no other in its place. */
export function isPlaceholder(body: unknown): boolean {
  return typeof body === 'object' && body !== null && placeholders.has(body)
}
