import { versionOf } from '../files/file-version'
import { watchFile } from '../files/watch-file'

/** Called after each change of a file: with the error when the value could not be made. */
export type Report = (file: string, error?: unknown) => void

/**
 * Makes a value from files, and makes it again when one of them changes.
 *
 * @param make makes the value; when it throws on a change, the last good value stays
 * @returns a function that returns the current value
 * @throws whatever `make` throws the first time
 */
export function reloaded<Value>(files: readonly string[], make: () => Value, report: Report): () => Value {
  // The versions are from before the reading, so that a change during it is noticed.
  const watched = files.map((file) => ({ file, version: versionOf(file) }))
  let current = make()
  for (const { file, version } of watched)
    watchFile(
      file,
      () => {
        try {
          current = make()
          report(file)
        } catch (error) {
          report(file, error)
        }
      },
      version,
    )
  return () => current
}
