import type { Warn } from '../warn'
import { type Chunks, textOfResource } from './data-text'
import { notReadable } from './file/file-errors'
import type { FileChange } from './file/replace-files'
import { checkLength } from './file/text-limit'
import { WholeFile } from './file/whole-file'
import { parseResource } from './parse-data'
import { DataError } from './valid-data'

interface ResourceFileOptions {
  /** Path of the file. */
  path: string
  /** Names the file in a sentence. */
  name: string
  warn: Warn
}

/** A file of a folder, which holds one resource. */
export class ResourceFile {
  #file: WholeFile
  /** What was read or written last: its text in pieces, and the resource. */
  #text: readonly Buffer[] | undefined
  #resource: unknown
  /** Why the file cannot be served as it is. */
  #problem: DataError | undefined
  /** Whether it is known that it can be replaced. */
  #isReplaceable = false

  readonly options: ResourceFileOptions

  constructor(options: ResourceFileOptions) {
    this.options = options
    this.#file = new WholeFile(options.path, options.warn)
  }

  /** A file that is to be made. */
  static absent(options: ResourceFileOptions): ResourceFile {
    const resource = new ResourceFile(options)
    resource.#file = WholeFile.absent(options.path, options.warn)
    return resource
  }

  /** Whether somebody else has changed the file since it was last read or written. */
  get changedElsewhere(): boolean {
    return this.#file.changedElsewhere
  }

  /**
   * Removes what killed processes have left beside it.
   *
   * @param warn told what keeps it from being replaced
   * @returns whether it can be saved, as far as that is known
   */
  prepare(warn: Warn): boolean {
    this.#isReplaceable = this.#file.prepare({ name: this.options.name, warn })
    return this.#isReplaceable
  }

  /**
   * Tries whether it can be replaced, unless that is known.
   *
   * @throws FileError, or NodeJS.ErrnoException, that says why it cannot
   */
  checkReplaceable(): void {
    if (this.#isReplaceable) return
    this.#file.checkReplaceable()
    this.#isReplaceable = true
  }

  /**
   * Reads the file, if somebody else has changed it.
   *
   * @returns what it holds, which is the same object for the same text
   * @throws DataError when that cannot be served
   */
  load(): unknown {
    if (this.changedElsewhere) this.#read()
    if (this.#problem !== undefined) throw this.#problem
    return this.#resource
  }

  #read(): void {
    const { name } = this.options
    try {
      this.#problem = undefined
      // What is there now may be mounted by itself, or another user's.
      this.#isReplaceable = false
      const text = this.#file.read()
      if (this.#text !== undefined && text.equals(Buffer.concat(this.#text))) return
      this.#resource = parseResource(text, name)
      this.#text = [text]
    } catch (error) {
      this.#problem = notReadable(error, name)
    }
  }

  /** The same for a file that somebody has removed. When it is there again, it is read again. */
  lose(): DataError {
    const { path, name, warn } = this.options
    this.#file = new WholeFile(path, warn)
    // Nothing is there that a change would have to replace.
    this.#isReplaceable = true
    return new DataError(`${name} is gone: put it back, or start the server again without it.`)
  }

  /**
   * What the file becomes.
   *
   * @param resource undefined where the file is to be removed
   * @returns the change, and what is called when it was made
   * @throws FileError when the text would be too large to be read again
   */
  changeTo(resource: unknown, chunks: Chunks): { change: FileChange; onMade: () => void } {
    const text = resource === undefined ? undefined : textOfResource(resource, chunks)
    if (text !== undefined) checkLength(text, this.#text ?? [])
    const onMade = () => {
      this.#text = text
      this.#resource = resource
    }
    return { change: this.#file.changeTo(text), onMade }
  }
}
