import { inspect } from 'node:util'

/**
 * Called with a sentence for a person, and with the underlying error if its stack may help.
 */
export type Warn = (sentence: string, cause?: unknown) => void

/**
 * Warns as Node itself does: on the standard error, where a program can listen to it
 * (`process.on('warning')`) or turn it off (`--no-warnings`). This is the default, so that no warning is
 * lost.
 */
export const warnByNode: Warn = (sentence, cause) =>
  process.emitWarning(sentence, { detail: cause === undefined ? undefined : inspect(cause) })
