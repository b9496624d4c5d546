/** How many sandboxes there can be, and the milliseconds after which an unused one is forgotten. */
export const SANDBOX_LIMITS = { count: 200, idleTime: 30 * 60 * 1000 } as const

/** How many requests a journal keeps, and the most bytes of memory that they may take. */
export const JOURNAL_LIMITS = { requests: 1000, size: 1024 * 1024 } as const
