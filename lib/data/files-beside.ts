import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../error-code'
import { isRunning, OWNER } from './owner'

const MARK = '.saving-'

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
  const names = readdirSync(folder).filter((name) => {
    const [owner] = (name.startsWith(prefix) && /^\d+(-\w+)?/.exec(name.slice(prefix.length))) || []
    return owner !== undefined && !isRunning(owner)
  })
  discard(...names.map((name) => path.join(folder, name)))
}
