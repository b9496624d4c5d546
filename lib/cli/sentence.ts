import { DataError } from '../data/data-source'
import { errorCode } from '../error-code'
import { isRecord } from '../is-record'
import { UsageError } from './setting-values'

/** One sentence for what kept the server from starting, or from reloading a file. */
export function sentence(error: unknown): string {
  if (error instanceof UsageError || error instanceof DataError) return error.message
  const stack = error instanceof Error ? error.stack : error
  return (
    aboutListening(error) ?? `Something unexpected went wrong. Please report it with these lines: ${stack}`
  )
}

/** What a person can do when the server cannot listen on the port or the host. */
function aboutListening(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined
  const { syscall, port } = error
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program: stop that one, or choose another port, for instance --port 33001.`
    case 'EACCES':
      if (syscall !== 'listen') return undefined
      return `Port ${port} needs rights that you do not have: choose one above 1023, for instance --port 33001.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.'
    default:
      return undefined
  }
}
