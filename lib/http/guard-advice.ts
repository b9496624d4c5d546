/** Whether the target of a rule is a guard of json-server-auth. */
export function isGuard(to: unknown): boolean {
  return typeof to === 'number' && guardAdvice(String(to)) !== undefined
}

/**
 * What to do about a guard, which json-server-auth takes in a rule or an address, in the manner of `chmod`: a
 * clause; undefined for any other text.
 */
export function guardAdvice(text: string): string | undefined {
  return /^[046]{3}$/.test(text)
    ? `${text} is a guard of json-server-auth: docs/json-server.md says what to write instead`
    : undefined
}
