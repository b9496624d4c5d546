import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { errorMessage } from '../error-code'
import { isRecord } from '../is-record'

/** A command line that cannot be followed. The message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Certificate and private key for HTTPS, in PEM. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
}

/** @throws UsageError when the value is no integer from 0 to the largest */
export function integer(flag: string, value: number | string, largest: number): number {
  if (/^\d+$/.test(String(value)) && Number(value) <= largest) return Number(value)
  throw new UsageError(`${flag} must be an integer from 0 to ${largest}, for instance ${flag} 3000.`)
}

/** @throws UsageError when the signing secret is empty */
export function secret(value: string | undefined): string | undefined {
  if (value === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  return value
}

/**
 * The file with the rewrite rules: the one that was given, or `routes.json` when it exists.
 *
 * @throws UsageError when the one that was given does not exist
 */
export function rulesFile(given: string | undefined): string | undefined {
  if (given !== undefined) return existing(given, 'file with the rewrite rules')
  return existsSync('routes.json') ? 'routes.json' : undefined
}

/** @throws UsageError when there is no such file or folder */
export function existing(file: string, what: string): string {
  if (!existsSync(file)) throw new UsageError(`The ${what} ${file} does not exist.`)
  return file
}

/**
 * Reads a duration such as `15m`.
 *
 * @returns seconds
 * @throws UsageError for anything but a number and a unit
 */
export function seconds(flag: string, value: string): number {
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
  const [, count, unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(value) ?? []
  const factor = units[unit]
  if (count !== undefined && factor !== undefined) return Number(count) * factor
  throw new UsageError(`${flag} must be a number and a unit (s, m, h or d), for instance ${flag} 15m.`)
}

/** @throws UsageError when one of the two is missing, or they are no certificate with its private key */
export function tlsFiles({ cert, key }: { cert?: string; key?: string }): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new UsageError('HTTPS needs both --cert and --key.')
  const pair = {
    cert: readFileSync(existing(cert, 'certificate')),
    key: readFileSync(existing(key, 'private key')),
  }
  try {
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new UsageError(
      `${cert} and ${key} must be a certificate and its key, in PEM: ${errorMessage(error)}.`,
    )
  }
}

/**
 * Reads a JSON file that holds an object.
 *
 * @param what names the file in an error
 * @throws UsageError when it cannot be read or holds something else
 */
export function readJsonObject(file: string, what: string): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(existing(file, what), 'utf8').trim())
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The ${what} ${file} cannot be read: ${errorMessage(error)}.`)
  }
  if (!isRecord(content)) throw new UsageError(`The ${what} ${file} must hold a JSON object.`)
  return content
}
