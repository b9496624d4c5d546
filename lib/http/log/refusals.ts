/** The reasons for refusals, by response. */
const reasons = new WeakMap<object, string>()

/** Keeps the reason of a refusal for the log, because the response does not say it. */
export function keepReason(response: object, reason: string): void {
  reasons.set(response, reason)
}

/** The reason that was kept for a response, if any. */
export function reasonOf(response: object): string | undefined {
  return reasons.get(response)
}
