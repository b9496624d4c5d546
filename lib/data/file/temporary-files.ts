import { randomBytes } from 'node:crypto'
import { readdirSync, unlinkSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../error-code'
import type { Warn } from '../../warn'
import { retryWhileHeld } from './held-files'

const MARK = '.saving-'

/**
 * Names this process in its files: by its id and by a random tag, because a container gives
 * every process that it starts the same id.
 */
const OWNER = `${process.pid}-${randomBytes(4).toString('hex')}`

/** An unpredictable name for a temporary file, in the folder of the file that is to be written. */
export function temporaryName(file: string): string {
  return `${file}${MARK}${OWNER}-${randomBytes(8).toString('hex')}`
}

/**
 * Removes a temporary file if it is there, and never fails: the next start removes what stays. A thread does
 * it, because freeing the space of 25 MB takes 2.5 ms.
 */
export async function discard(file: string, warn: Warn): Promise<void> {
  try {
    await retryWhileHeld(() => unlink(file))
  } catch (error) {
    warnOfRest(file, error, warn)
  }
}

/** {@link discard} at the start, where nothing else waits. */
function discardAtOnce(file: string, warn: Warn): void {
  try {
    unlinkSync(file)
  } catch (error) {
    warnOfRest(file, error, warn)
  }
}

function warnOfRest(file: string, error: unknown, warn: Warn): void {
  const code = errorCode(error)
  if (code !== 'ENOENT') warn(`Cannot remove ${file} (${code}): the next start tries again.`)
}

/** Removes the temporary files that other processes have left beside a file when they ended. */
export function discardLeftovers(file: string, warn: Warn): void {
  const folder = path.dirname(file)
  const prefix = path.basename(file) + MARK
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix) && !mayBeRunning(name.slice(prefix.length)))
      discardAtOnce(path.join(folder, name), warn)
}

/** @param owner begins with the {@link OWNER} of a process on this machine, possibly long gone */
function mayBeRunning(owner: string): boolean {
  const id = Number.parseInt(owner, 10)
  if (id === process.pid) return owner.startsWith(OWNER)
  try {
    return process.kill(id, 0)
  } catch (error) {
    // Any other error means that it runs for another user, or that temporaryName did not make this name.
    return errorCode(error) !== 'ESRCH'
  }
}
