/** A clause, or a function that gives one when the response has been sent, because only then it is known. */
type Reason = string | (() => string | undefined)

const reasons = new WeakMap<object, Reason>()
const targets = new WeakMap<object, string>()
const leftOut = new WeakSet<object>()

/** Keeps the reason of a refusal for the log, because the response does not say it. */
export function keepReason(response: object, reason: Reason): void {
  reasons.set(response, reason)
}

/** The reason that was kept for a response, if any. */
export function reasonOf(response: object): string | undefined {
  const reason = reasons.get(response)
  return typeof reason === 'function' ? reason() : reason
}

/** Keeps the target of a request for the log, as it was before the rewrite rules changed it. */
export function keepTarget(response: object, target: string): void {
  targets.set(response, target)
}

/** What a request was sent for, if the rewrite rules have led it elsewhere. */
export function targetBefore(response: object): string | undefined {
  return targets.get(response)
}

/** Keeps a response out of the log: it says nothing of what people or their applications do. */
export function leaveOutOfLog(response: object): void {
  leftOut.add(response)
}

/** Whether a response was kept out of the log. */
export function isLeftOutOfLog(response: object): boolean {
  return leftOut.has(response)
}
