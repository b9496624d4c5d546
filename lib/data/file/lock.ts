import { closeSync, openSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../error-code'
import { versionOf } from '../../files/file-version'
import type { Warn } from '../../warn'
import { retryWhileHeld } from './held-files'

/** Milliseconds. A lock is held for less than one, so an older one was left by a process that was killed. */
const ABANDONED_AFTER = 1000

/**
 * Runs an action while no other process runs one under the same lock. Waits for as long as another holds it.
 *
 * @param file path of the lock file; its folder must exist and be writable
 * @param action must be synchronous and short
 * @param warn told when the lock file could not be removed afterwards
 * @throws NodeJS.ErrnoException when the lock file cannot be created; whatever the action throws
 */
export async function withLock(file: string, action: () => void, warn: Warn): Promise<void> {
  let holder = ''
  let since = 0
  while (!acquire(file)) {
    const current = versionOf(file)
    if (current !== holder) {
      holder = current
      // This process measures the time itself: the clock that dated the file may be another machine's.
      since = performance.now()
    } else if (performance.now() - since > ABANDONED_AFTER) await removeAbandoned(file, holder, warn)
    await sleep(1)
  }
  try {
    action()
  } finally {
    await release(file, warn)
  }
}

/**
 * Removes a lock whose holder was killed. It does so under a lock of its own, and compares once more: otherwise
 * another process could have removed it, and taken the lock, just before.
 */
async function removeAbandoned(file: string, holder: string, warn: Warn): Promise<void> {
  const remove = () => {
    if (versionOf(file) === holder) rmSync(file, { force: true })
  }
  await withLock(`${file}.abandoned`, remove, warn)
}

/** Never fails: the action has been run, and the next process takes over a lock that stays. */
async function release(file: string, warn: Warn): Promise<void> {
  try {
    await retryWhileHeld(() => rmSync(file, { force: true }))
  } catch (error) {
    warn(`Cannot remove ${file} (${errorCode(error)}): remove it, or the next change waits for it.`)
  }
}

/** @returns false while another process holds the lock */
function acquire(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
