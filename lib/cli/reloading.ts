import { watchFile } from '../files/watch-file'
import type { Warn } from '../warn'

/** Makes values from files, and makes them again when a file changes. */
export class Reloader {
  /** All files that were read. */
  readonly files: string[] = []

  /**
   * @param warn told what is wrong in a file that is read all the same
   * @param report called after each change: with the error when the value could not be made
   */
  constructor(
    readonly warn: Warn,
    private readonly report: (file: string, error?: unknown) => void,
  ) {}

  /**
   * @param make makes the value; when it throws on a change, the last good value stays
   * @returns a function that returns the current value
   * @throws whatever `make` throws the first time
   */
  load<Value>(files: readonly string[], make: () => Value): () => Value {
    let current = make()
    const reload = (file: string): void => {
      try {
        current = make()
        this.report(file)
      } catch (error) {
        this.report(file, error)
      }
    }
    for (const file of files) watchFile(file, () => reload(file))
    this.files.push(...files)
    return () => current
  }
}
