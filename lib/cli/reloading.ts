import { type FileWatcher, watchFile } from '../watch-file'

export interface ReloadingOptions<Value> {
  /** The files that the value is made from. */
  files: readonly string[]
  /** Makes the value; when it throws on a change, the last good value stays. */
  load: () => Value
  /** Called after each change: without an error when the value was made anew. */
  report: (file: string, error?: unknown) => void
}

/** A value made from files, and made anew when one of them changes. */
export class Reloading<Value> {
  #current: Value
  readonly #watchers: FileWatcher[]

  /** @throws whatever `load` throws the first time */
  constructor({ files, load, report }: ReloadingOptions<Value>) {
    this.#current = load()
    this.#watchers = files.map((file) =>
      watchFile(file, () => {
        try {
          this.#current = load()
          report(file)
        } catch (error) {
          report(file, error)
        }
      }),
    )
  }

  /** The value as it was last made. */
  readonly current = (): Value => this.#current

  close(): void {
    for (const watcher of this.#watchers) watcher.close()
  }
}
