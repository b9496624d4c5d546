/** Whether a value of the header X-Sandbox, or of the claim `sandbox`, can be the name of a sandbox. */
export function isSandboxName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value)
}
