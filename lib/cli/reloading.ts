import { statSync } from 'node:fs'
import type { Warn } from '../warn'
import { watchFile } from '../watch-file'
import { UsageError } from './flags/usage-error'

/**
 * A value made from files, and made again when one of them changes.
 *
 * @param load makes the value; when it throws on a change, the last good value stays
 * @param report called after each change: with the error when `load` threw one
 * @param warn told when a file cannot be watched
 * @returns a function that returns the current value
 * @throws whatever `load` throws the first time
 */
export function reloading<Value>(
  files: readonly string[],
  load: (files: readonly string[]) => Value,
  report: (file: string, error?: unknown) => void,
  warn: Warn,
): () => Value {
  let current = load(files)
  function reload(file: string): void {
    try {
      files.forEach(refuseNoFile)
      current = load(files)
      report(file)
    } catch (error) {
      report(file, error)
    }
  }
  for (const file of files) watchFile(file, () => reload(file), warn)
  return () => current
}

/** Reading a pipe that nobody writes to, or a device without an end, would stop the server. */
function refuseNoFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== false) return
  throw new UsageError(
    `${file} is not a file, but a folder, a pipe, a socket or a device: put a file in its place.`,
  )
}
