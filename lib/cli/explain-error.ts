import { DataError } from '../data/valid-data'
import { OptionError } from '../errors'
import { isRecord } from '../is-record'

/**
 * A command line or a configuration that cannot be used. The message is one sentence for the person who wrote
 * it.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** npm hands on only what follows two dashes. */
const OTHER_PORT = ', for instance --port 33001 (with npm run: -- --port 33001)'

/**
 * One sentence for what kept the server from starting, or from reloading a file, and what a person can do
 * about it.
 */
export function explainError(error: unknown): string {
  if (error instanceof UsageError || error instanceof OptionError || error instanceof DataError)
    return error.message
  const { code, port, stack = error }: Record<string, unknown> = isRecord(error) ? error : {}
  if (code === 'EADDRINUSE')
    return (
      `Port ${port} is taken by another program, or was a moment ago: stop that one, wait a minute, ` +
      `or choose another port${OTHER_PORT}.`
    )
  if (code === 'EACCES' && port)
    return `Port ${port} needs rights that you do not have, or is reserved by the system: choose another one${OTHER_PORT}.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.'
  return `Something unexpected went wrong. Please report it with these lines: ${stack}`
}
