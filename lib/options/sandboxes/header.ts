/** The header of a request that names a sandbox; its response repeats it. */
export const SANDBOX_HEADER = 'X-Sandbox'

/** The rule for names of sandboxes, as a JSON Schema. */
export const SANDBOX_NAME = {
  type: 'string',
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: '1 to 64 letters, digits, dots, underscores or hyphens',
}
