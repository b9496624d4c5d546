import { watchFile } from '../watch-file'

export interface ReloadingOptions<Value> {
  /** The files that the value is made from. */
  files: readonly string[]
  /** Makes the value; when it throws on a change, the last good value stays. */
  load: () => Value
  /** Called after each change: with the error when `load` threw one. */
  report: (file: string, error?: unknown) => void
}

/**
 * A value made from files, and made again when one of them changes.
 *
 * @returns a function that returns the current value
 * @throws whatever `load` throws the first time
 */
export function reloading<Value>({ files, load, report }: ReloadingOptions<Value>): () => Value {
  let current = load()
  for (const file of files) {
    watchFile(file, () => {
      try {
        current = load()
        report(file)
      } catch (error) {
        report(file, error)
      }
    })
  }
  return () => current
}
