import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorMessage } from '../error-code'
import { UsageError } from './explain-error'

/**
 * Certificate and private key for HTTPS, in PEM.
 *
 * @throws UsageError when one of the two is missing, or they are not a certificate and its private key
 */
export function tlsFiles({ cert, key }: { cert?: string; key?: string }) {
  if (!cert && !key) return undefined
  if (!cert || !key) throw new UsageError('HTTPS needs both --cert and --key.')
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new UsageError(
      `${cert} and ${key} must be a certificate and its key, in PEM: ${errorMessage(error)}.`,
    )
  }
}
