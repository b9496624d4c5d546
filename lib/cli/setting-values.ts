import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Credentials } from '../auth/credentials'
import { errorMessage } from '../error-code'

/** A command line or a configuration that cannot be used. The message is one sentence for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** For a flag that turns something on. */
export function on(given: unknown): boolean {
  return given === true
}

/** For a flag that turns something off. */
export function off(given: unknown): false | undefined {
  return on(given) ? false : undefined
}

/** @throws UsageError for a value that is not written as a string, which only a configuration file can hold */
export function text(given: unknown, name: string): string {
  if (typeof given === 'string' || typeof given === 'number') return String(given)
  throw new UsageError(`${name} must be a string.`)
}

/** Reads an integer from 0 to the largest. */
export function integer(largest: number): (given: unknown, name: string) => number {
  return (given, name) => {
    if (/^\d+$/.test(String(given)) && Number(given) <= largest) return Number(given)
    throw new UsageError(`${name} must be an integer from 0 to ${largest}, for instance 3000.`)
  }
}

/** Milliseconds: the longest time of Node's timers. */
const LONGEST_TIMER = 2 ** 31 - 1

/** @throws UsageError when the value is not a number of milliseconds */
export function milliseconds(given: unknown, name: string): number {
  if (/^\d+(\.\d+)?$/.test(String(given)) && Number(given) <= LONGEST_TIMER) return Number(given)
  throw new UsageError(`${name} must be a number of milliseconds, for instance 500.`)
}

/**
 * Reads a duration such as `15m`.
 *
 * @returns seconds
 * @throws UsageError for anything but a number and a unit
 */
export function seconds(given: unknown, name: string): number {
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
  const [, count, unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(String(given)) ?? []
  const factor = units[unit]
  if (count !== undefined && factor !== undefined) return Number(count) * factor
  throw new UsageError(`${name} must be a number and a unit (s, m, h or d), for instance 15m.`)
}

/**
 * Reads logins such as `mia:sourdough`. The first colon separates: the password can hold others.
 *
 * @throws UsageError for anything else; the message does not repeat it, because it may hold a password
 */
export function logins(given: unknown, name: string): Credentials[] {
  return [given].flat().map((login) => {
    const [, email, password] = /^([^:]+):(.+)$/s.exec(String(login)) ?? []
    if (typeof login === 'string' && email !== undefined && password !== undefined) return { email, password }
    throw new UsageError(`${name} must be a name, a colon and a password, for instance me:secret.`)
  })
}

/** Reads the path of a file or folder that must exist. */
export function existing(what: string): (given: unknown, name: string) => string {
  return (given, name) => {
    const file = text(given, name)
    if (!existsSync(file)) throw missing(what, file, name)
    return file
  }
}

/** A default: the file or folder of that name, if the working folder has one. */
export function ifExists(file: string): () => string | undefined {
  return () => (existsSync(file) ? file : undefined)
}

/** Reads the paths of middlewares. */
export function middlewareFiles(given: unknown, name: string): string[] {
  return [given].flat().map((file) => moduleFile('middleware', text(file, name), name))
}

/**
 * Finds the file of a module, whose path can be written as for `require`: without an extension, or as the folder of a package.
 *
 * @throws UsageError when it does not exist
 */
export function moduleFile(what: string, file: string, name: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file
  try {
    return path.relative('', require.resolve(path.resolve(file)))
  } catch {
    throw missing(what, file, name)
  }
}

function missing(what: string, file: string, name: string): UsageError {
  return new UsageError(`The ${what} ${file} does not exist: check ${name}.`)
}

/** Certificate and private key for HTTPS, in PEM. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
}

/** @throws UsageError when one of the two is missing, or they are not a certificate and its private key */
export function tlsFiles({ cert, key }: { cert?: string; key?: string }): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) throw new UsageError('HTTPS needs both --cert and --key.')
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
