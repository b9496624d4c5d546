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

/** The files that could not be removed yet. */
const remaining = new Set<string>()

/** An unpredictable name for a temporary file, in the folder of the file that is to be written. */
export function temporaryName(file: string): string {
  return `${file}${MARK}${OWNER}-${randomBytes(8).toString('hex')}`
}

/**
 * Removes files, and never fails: one that cannot be removed is tried again with the next ones, or at the
 * next start. A thread does it, because freeing the space of a large file takes milliseconds.
 */
export async function discard(files: readonly string[], warn: Warn): Promise<void> {
  await Promise.all(
    allOf(files).map(async (file) => {
      try {
        await retryWhileHeld(() => unlink(file))
        remaining.delete(file)
      } catch (error) {
        discardLater(file, error, warn)
      }
    }),
  )
}

/** {@link discard} at the start, where nothing else waits. */
export function discardAtOnce(files: readonly string[], warn: Warn): void {
  for (const file of allOf(files)) {
    try {
      unlinkSync(file)
      remaining.delete(file)
    } catch (error) {
      discardLater(file, error, warn)
    }
  }
}

function allOf(files: readonly string[]): string[] {
  return [...new Set([...remaining, ...files])]
}

function discardLater(file: string, error: unknown, warn: Warn): void {
  const code = errorCode(error)
  if (code === 'ENOENT') {
    remaining.delete(file)
    return
  }
  if (!remaining.has(file))
    warn(`Cannot remove ${file} (${code}): the next write or the next start tries again.`)
  remaining.add(file)
}

/** Removes the temporary files that killed processes have left beside a file. */
export function discardLeftovers(file: string, warn: Warn): void {
  const folder = path.dirname(file)
  const prefix = path.basename(file) + MARK
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(prefix) && !mayBeRunning(name.slice(prefix.length)),
  )
  discardAtOnce(
    names.map((name) => path.join(folder, name)),
    warn,
  )
}

/** @param owner begins with the {@link OWNER} of a process on this machine, possibly long gone */
function mayBeRunning(owner: string): boolean {
  const id = Number.parseInt(owner, 10)
  if (id === process.pid) return owner.startsWith(OWNER)
  try {
    return process.kill(id, 0)
  } catch (error) {
    // Any other error: the process runs for another user, or the name was not made by temporaryName.
    return errorCode(error) !== 'ESRCH'
  }
}
