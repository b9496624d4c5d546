import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code'
import { isRunning, OWNER } from './owner'

/**
 * Milliseconds. A lock is held for less than one, so an older one was left by a process that is unknown here,
 * for instance on another machine.
 */
const ABANDONED_AFTER = 1000

/** Milliseconds after which a process has certainly written its name into its lock. */
const NAMED_AFTER = 250

/**
 * Runs an action while no other process runs one under the same lock.
 *
 * @param file path of the lock file; its folder must exist and be writable
 * @param action must be synchronous and short
 */
export async function withLock(file: string, action: () => void): Promise<void> {
  let holder: string | undefined
  let since = performance.now()
  while (!acquire(file)) {
    removeLockOfKilled(file)
    const current = identify(file)
    if (current !== holder) {
      holder = current
      since = performance.now()
    } else if (performance.now() - since > ABANDONED_AFTER) {
      rmSync(file, { force: true })
    }
    await sleep(1)
  }
  try {
    action()
  } finally {
    release(file)
  }
}

/** Never fails: the action has been run, and the next process takes over a lock that stays. */
function release(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    console.error(`Cannot remove ${file}:`, error)
  }
}

/** Removes a lock whose process was killed, also if it had not written its name yet. Called at the start. */
export function removeAbandonedLock(file: string): void {
  if (ownerOf(file) === undefined && ageOf(file) > NAMED_AFTER) rmSync(file, { force: true })
  else removeLockOfKilled(file)
}

function removeLockOfKilled(file: string): void {
  const owner = ownerOf(file)
  if (owner !== undefined && !isRunning(owner)) rmSync(file, { force: true })
}

function acquire(file: string): boolean {
  try {
    writeFileSync(file, OWNER, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Undefined when there is no lock, or its process has not yet written its name into it. */
function ownerOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8') || undefined
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Milliseconds since the file was last written; 0 when there is none. */
function ageOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs
}

function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.ctimeNs}`
}
