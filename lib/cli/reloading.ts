import type { Warn } from '../warn'
import { watchFile } from '../watch-file'

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
      current = load(files)
      report(file)
    } catch (error) {
      report(file, error)
    }
  }
  for (const file of files) watchFile(file, () => reload(file), warn)
  return () => current
}
