/** What a name of a sandbox must be, and the words for that. */
export const SANDBOX_NAME = {
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  mustBe: '1 to 64 letters, digits, dots, underscores or hyphens',
} as const
