import path from 'node:path'
import { parse } from 'json-parse-helpfulerror'
import { errorCode, errorMessage } from '../error-code'
import { HttpError } from '../errors'
import { type FileWatcher, watchFile } from '../watch-file'
import { type Data, DataError, DataSource, validData } from './data-source'
import { DataText } from './data-text'
import { GroupCommit } from './group-commit'
import { ChangedElsewhereError, removeLeftovers, TextFile } from './guarded-file'

/**
 * The data file: read at the start, changed in memory, and replaced as a whole by each group of changes. Whoever else
 * changes the file is never overwritten: what they wrote is taken up, and changes that crossed theirs are refused.
 */
export class DataFile extends DataSource {
  readonly #name: string
  readonly #file: TextFile
  readonly #commits: GroupCommit
  readonly #watcher: FileWatcher
  #state: Data
  /** Why the file as it is now cannot be served; the state is then the last good one. */
  #fault: DataError | undefined
  /** The last good text, which a rollback goes back to. */
  #saved: Buffer[]
  readonly #text = new DataText()
  #scratch = Buffer.alloc(0)

  /**
   * @param file path of a JSON file
   * @throws DataError when it is missing, empty, not JSON (with line and column) or cannot be served
   */
  constructor(file: string) {
    super()
    this.#name = path.basename(file)
    const opened = openFile(file)
    this.#file = opened.file
    this.#saved = [opened.text]
    this.#state = parseData(opened.text, file)
    this.#commits = new GroupCommit({ write: () => this.#save(), rollBack: () => this.#rollBack() })
    this.#watcher = watchFile(file, () => this.#takeUpForeignChange())
  }

  get state(): Data {
    return this.#state
  }

  changed(record?: object): void {
    if (record === undefined) this.#text.forget()
    else this.#text.recordChanged(record)
  }

  commit(): Promise<void> {
    return this.#commits.commit()
  }

  refresh(): void {
    this.#takeUpForeignChange()
    if (this.#fault !== undefined) throw this.#unavailable()
  }

  async close(): Promise<void> {
    this.#watcher.close()
    await this.#commits.idle()
  }

  async #save(): Promise<void> {
    // Whatever was changed before a reload is gone with it, so it must not be reported as saved.
    if (this.#takeUpForeignChange()) throw this.#crossed()
    if (this.#fault !== undefined) throw this.#unavailable()
    const text = this.#text.serialise(this.#state)
    try {
      await this.#file.replace(this.#inOneBuffer(text), () => {
        this.#saved = text
      })
    } catch (error) {
      if (!(error instanceof ChangedElsewhereError)) throw this.#notSaved(error)
      this.#takeUpForeignChange()
      throw this.#crossed()
    }
  }

  /** A fresh buffer of a large file's size for each write would keep the garbage collector busy, so one is kept. */
  #inOneBuffer(pieces: readonly Buffer[]): Buffer {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(Math.ceil(length * 1.25))
    let position = 0
    for (const piece of pieces) position += piece.copy(this.#scratch, position)
    return this.#scratch.subarray(0, length)
  }

  #rollBack(): void {
    this.#state = parseData(Buffer.concat(this.#saved), this.#name)
    this.emit('rollback')
  }

  /**
   * Reads the file when somebody else has changed it. While it cannot be served, the last good data stays.
   *
   * @returns whether changes that were not saved yet are lost by it
   */
  #takeUpForeignChange(): boolean {
    if (!this.#file.changedElsewhere) return false
    try {
      const text = this.#file.read()
      if (this.#fault === undefined && text.equals(Buffer.concat(this.#saved))) return false
      this.#state = parseData(text, this.#name)
      this.#saved = [text]
      this.#fault = undefined
      this.#commits.abort(this.#crossed())
      this.emit('reload')
    } catch (error) {
      this.#fault = toDataError(error, this.#name)
      this.emit('fault', this.#fault)
    }
    return true
  }

  #unavailable(): HttpError {
    return new HttpError(503, `Nothing can be saved at the moment: ${this.#fault?.message}`)
  }

  #crossed(): HttpError {
    return new HttpError(
      503,
      `${this.#name} was changed by somebody else at the same moment. Send the request again.`,
    )
  }

  #notSaved(error: unknown): HttpError {
    const code = errorCode(error) ?? errorMessage(error)
    console.error(`Cannot write ${this.#file.path}:`, error)
    return new HttpError(
      500,
      `The change was not made, because ${this.#name} could not be written (${code}).`,
    )
  }
}

function openFile(file: string): { file: TextFile; text: Buffer } {
  const textFile = new TextFile(file)
  try {
    const text = textFile.read()
    removeLeftovers(file)
    return { file: textFile, text }
  } catch (error) {
    throw toDataError(error, file)
  }
}

function parseData(text: Buffer, name: string): Data {
  // As json-server does: a byte order mark and white space around the data do no harm.
  const json = text.toString().trim()
  if (json === '')
    throw new DataError(`${name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`)
  try {
    return validData(parse(json), name)
  } catch (error) {
    throw toDataError(error, name)
  }
}

/**
 * Reads a data file once, without holding on to it.
 *
 * @throws DataError as the constructor of {@link DataFile}
 */
export function readDataFile(file: string): Data {
  return parseData(openFile(file).text, file)
}

/** One sentence for whatever kept a file from being read and understood. */
function toDataError(error: unknown, name: string): DataError {
  if (error instanceof DataError) return error
  if (error instanceof SyntaxError) {
    const [firstLine = ''] = error.message.split('\n')
    const [, problem = firstLine, line, column] = /^(.*) at (\d+):(\d+)$/.exec(firstLine) ?? []
    const position = line === undefined ? '' : ` at line ${line}, column ${column}`
    return new DataError(`${name} is not valid JSON${position}: ${problem}.`)
  }
  const code = errorCode(error)
  if (code === 'ENOENT') return new DataError(`${name} does not exist.`)
  if (code === 'EISDIR') return new DataError(`${name} is a folder, not a file.`)
  return new DataError(`${name} cannot be read (${code ?? errorMessage(error)}).`)
}
