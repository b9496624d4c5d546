import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from './error-code'

/** Milliseconds. A lock is held for less than one, so one that outlasts this was left behind by a killed process. */
const ABANDONED_AFTER = 1000

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
    rmSync(file, { force: true })
  }
}

function acquire(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.ctimeNs}`
}
