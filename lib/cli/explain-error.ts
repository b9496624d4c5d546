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
      `or choose another port, for instance ${viaScript()}--port 33001.`
    )
  if (code === 'EACCES' && port)
    return (
      `Port ${port} needs rights that you do not have, or is reserved by the system: choose another one, ` +
      'for instance --port 33001.'
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.'
  return `Something unexpected went wrong. Please report it with these lines: ${stack}`
}

/** npm hands on only what follows two dashes. */
function viaScript(): string {
  const { npm_command: command, npm_lifecycle_event: script } = process.env
  return command === 'run-script' ? `npm run ${script} -- ` : ''
}
