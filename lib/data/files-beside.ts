import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../error-code'
import { isRunning, OWNER } from './owner'

const MARK = '.saving-'

/** What could not be removed when it should have been. */
const remaining = new Set<string>()

/** A name beside a file that nobody can guess, for what a write needs there for a moment. */
export function nameBeside(file: string): string {
  return `${file}${MARK}${OWNER}-${randomBytes(8).toString('hex')}`
}

/** Removes such files, or tells the console that it cannot; then they are removed with the next ones, or at the next start. */
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

/** Removes what processes that were killed in the middle of a write have left beside a file. */
export function discardLeftovers(file: string): void {
  const folder = path.dirname(file)
  const prefix = path.basename(file) + MARK
  const names = readdirSync(folder).filter((name) => {
    const [owner] = (name.startsWith(prefix) && /^\d+(-\w+)?/.exec(name.slice(prefix.length))) || []
    return owner !== undefined && !isRunning(owner)
  })
  discard(...names.map((name) => path.join(folder, name)))
}
