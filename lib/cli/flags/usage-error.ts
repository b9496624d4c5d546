/**
 * A command line or a configuration that cannot be used. The message is one sentence for the person who wrote
 * it.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
