import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTick } from 'node:timers/promises'
import { isBcryptHash, isHash } from '../auth/hash-pattern'
import { Turns } from '../turns'

/** Loaded with the first hash. */
const bcrypt = (): typeof import('bcryptjs') => require('bcryptjs')

/** Of the hashes that are made here: bcryptjs's own default. */
const COST = 10

/**
 * Lets the event loop turn a hundred times, which takes 1.5 ms: in each turn, Node accepts one connection, and a hash takes
 * most of two.
 */
export async function letOthersIn(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await nextTick()
}

/** Of the clients, by their addresses. */
const turns = new Turns()

/**
 * Makes a hash of a password, at once, so that the data stays the same meanwhile: for the 0.1 s that it takes, all other
 * requests wait.
 *
 * @returns undefined for one of which bcrypt would leave out the end, after 72 bytes
 */
export function hashPassword(password: string): string | undefined {
  return bcrypt().truncates(password) ? undefined : bcrypt().hashSync(password, COST)
}

/** Why no password, or not this one, is compared with a hash, as a clause for the log; undefined where it is. */
export function whyNotCompared(given: string, hash: string): string | undefined {
  if (!isBcryptHash(hash)) return "a hash is not compared that is none of bcrypt's with a cost up to 15"
  return bcrypt().truncates(given)
    ? 'a password over 72 bytes is not compared, because bcrypt leaves out its end'
    : undefined
}

/**
 * Compares a password with the one that is stored, as it is or as a hash of bcrypt: any other hash has none. Hashes
 * are compared one after the other: twenty at a time would keep all other requests waiting for 2 s, and in this way, it is
 * 0.1 s. Clients of several addresses take turns, and for one that has gone nothing is compared. {@link whyNotCompared} says
 * of which hashes and passwords it is always false.
 *
 * @param request of whom it is asked for
 */
export async function comparePassword(
  given: string,
  stored: string,
  request: IncomingMessage,
): Promise<boolean> {
  if (!isHash(stored)) return given === stored
  if (whyNotCompared(given, stored) !== undefined) return false
  const isGone = () => request.socket.destroyed
  return turns.take(request.socket.remoteAddress ?? '', async () => {
    if (isGone()) return false
    await letOthersIn()
    return !isGone() && bcrypt().compare(given, stored)
  })
}
