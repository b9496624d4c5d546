/** The pattern of a sandbox's name, and its description in words. */
export const SANDBOX_NAME = {
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  mustBe: '1 to 64 letters, digits, dots, underscores or hyphens',
} as const

/** The limits of all sandboxes together. */
export interface SandboxLimits {
  /** How many there can be. */
  count: number
  /** Milliseconds after which an unused one is forgotten. */
  idleTime: number
}

export const SANDBOX_LIMITS: SandboxLimits = {
  count: 200,
  idleTime: 30 * 60 * 1000,
}

/** How many requests a journal keeps, and the most bytes of memory that they may take. */
export const JOURNAL_LIMITS = { requests: 1000, size: 1024 * 1024 } as const
