import { watchFile } from '../watch-file'

export interface ReloadingOptions<Value> {
  /** The files that the value is made from. */
  files: readonly string[]
  /** Makes the value; when it throws on a change, the last good value stays. */
  load: () => Value
  /** Called after each change: without an error when the value was made anew. */
  report: (file: string, error?: unknown) => void
}

/**
 * A value made from files, and made anew when one of them changes.
 *
 * @returns gives the value as it was last made
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
