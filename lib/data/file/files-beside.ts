import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../../error-code'

const MARK = '.saving-'

/**
 * Names this process in its files: by its id and by a random tag, because a container gives
 * every process that it starts the same id.
 */
const OWNER = `${process.pid}-${randomBytes(4).toString('hex')}`

/** The files that could not be removed yet. */
const remaining = new Set<string>()

/** An unpredictable name beside a file, for a temporary file of a write. */
export function nameBeside(file: string): string {
  return `${file}${MARK}${OWNER}-${randomBytes(8).toString('hex')}`
}

/** Removes such files. Where that fails, it logs a warning, and they are removed with the next ones or at the next start. */
export function discard(...files: readonly string[]): void {
  for (const file of new Set([...remaining, ...files])) {
    try {
      rmSync(file, { force: true })
      remaining.delete(file)
    } catch (error) {
      if (!remaining.has(file))
        console.error(
          `Cannot remove ${file} (${errorCode(error)}): the next write or the next start tries again.`,
        )
      remaining.add(file)
    }
  }
}

/** Removes the temporary files that killed processes have left beside a file. */
export function discardLeftovers(file: string): void {
  const folder = path.dirname(file)
  const prefix = path.basename(file) + MARK
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(prefix) && !mayBeRunning(name.slice(prefix.length)),
  )
  discard(...names.map((name) => path.join(folder, name)))
}

/** @param owner begins with the {@link OWNER} of a process on this machine, possibly long gone */
function mayBeRunning(owner: string): boolean {
  const id = Number.parseInt(owner, 10)
  if (id === process.pid) return owner.startsWith(OWNER)
  try {
    return process.kill(id, 0)
  } catch (error) {
    // Any other error: there is such a process, of somebody else, or the name is none of ours.
    return errorCode(error) !== 'ESRCH'
  }
}
