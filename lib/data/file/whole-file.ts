import { constants } from 'node:buffer'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../../error-code'
import { describeVersion, versionOf } from '../../files/file-version'
import type { Warn } from '../../warn'
import { createFile } from './create-file'
import { FileError, whyNotWritten } from './file-errors'
import { type FileChange, replaceFiles } from './replace-files'
import { canBeLinked, keepReplacedFile } from './replaced-file'
import { NOT_THERE, StagedChange } from './staged-change'
import { discardLeftovers, temporaryName } from './temporary-files'

const LOCK = '.lock'
const UNKNOWN = 'unknown'

/** A text file that is read whole and replaced whole, but never over somebody else's change. */
export class WholeFile {
  readonly #warn: Warn
  #version = UNKNOWN

  readonly path: string

  /**
   * @param path of the file, or of a symbolic link to it
   * @param warn told what goes wrong beside a write without making it fail
   */
  constructor(path: string, warn: Warn) {
    this.path = path
    this.#warn = warn
  }

  /** A file that is not there yet. */
  static absent(path: string, warn: Warn): WholeFile {
    const file = new WholeFile(path, warn)
    file.#version = NOT_THERE
    return file
  }

  /** Whether somebody else has changed, replaced or removed the file since it was last read or written. */
  get changedElsewhere(): boolean {
    return versionOf(this.path) !== this.#version
  }

  /**
   * Removes what killed processes have left in the file's folder. Warns if the file cannot be replaced, or
   * has no hard links. The hard link is what a file is put back from if somebody saves it while it is
   * replaced.
   *
   * @param options `name`: the file in a sentence; `warn`: told of it. Default: its name without the folder, and who is
   *   told of all else.
   * @returns whether changes can be saved, as far as that is known
   */
  prepare({ name = path.basename(this.path), warn = this.#warn } = {}): boolean {
    try {
      const target = realpathSync(this.path)
      discardLeftovers(target, this.#warn)
      if (!canBeLinked(target))
        warn(
          `No hard link to ${name} can be made: ` +
            'an editor that saves it in the same instant as the server may lose its text.',
        )
      return true
    } catch (error) {
      // Such a file can still be read.
      warn(`No change can be saved, because ${whyNotWritten(error, name)}.`)
      return false
    }
  }

  /**
   * Tries whether the file can be replaced, and leaves nothing of that.
   *
   * @throws FileError, or NodeJS.ErrnoException, that says why it cannot
   */
  checkReplaceable(): void {
    canBeLinked(realpathSync(this.path))
  }

  /**
   * Reads the whole file.
   *
   * @throws FileError when it is not a file, or no program on Node could hold its text in one string
   * @throws NodeJS.ErrnoException when it cannot be read
   */
  read(): Buffer {
    // The version stays unknown if the reading fails: the file may be readable later without a change.
    this.#version = UNKNOWN
    const stats = statSync(this.path, { bigint: true })
    // Opening a pipe would wait for a writer.
    if (!stats.isFile()) throw new FileError('NOT_A_FILE')
    if (stats.size > constants.MAX_STRING_LENGTH) throw new FileError('TOO_LARGE')
    const text = readFileSync(this.path)
    // The version is from before the reading, so that a change during it is noticed, and read again.
    this.#version = describeVersion(stats)
    return text
  }

  /**
   * Replaces the file's text as a whole, and returns when it is on the disk. The file's mode, its owner and a
   * symbolic link to it are kept. A program that has the file open at that moment and saves it later writes
   * into the replaced file.
   *
   * @param text the new text, in UTF-8 and in pieces
   * @param onReplaced called at the moment when the new text takes the place of the old
   * @throws FileError when somebody else changed the file since it was last read or written; it is then as it
   *   was
   * @throws NotDurableError when the text was replaced, but its folder could not be synced
   * @throws NodeJS.ErrnoException when it cannot be written; the file is then as it was
   */
  async replace(text: readonly Buffer[], onReplaced: () => void): Promise<void> {
    const change = this.changeTo(text)
    let target = this.path
    try {
      target = realpathSync(this.path)
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileError('CHANGED') : error
    }
    await replaceFiles([change], { target, lock: target + LOCK, onReplaced, warn: this.#warn })
  }

  /**
   * What {@link replaceFiles} makes of the file, unless somebody else changes it from now on.
   *
   * @param text in UTF-8 and in pieces; undefined where the file is to be removed
   */
  changeTo(text: readonly Buffer[] | undefined): FileChange {
    // The version is that of now: a change that is read while this waits must not be overwritten.
    const version = this.#version
    return { path: this.path, stage: () => this.#stage(text, version) }
  }

  /** Writes a new text beside the file, and keeps the file by a second name. */
  async #stage(text: readonly Buffer[] | undefined, version: string): Promise<StagedChange> {
    const warn = this.#warn
    const isNew = version === NOT_THERE
    const target = isNew ? this.path : realpathSync(this.path)
    const model = isNew ? undefined : statSync(target)
    const replaced = isNew ? undefined : await keepReplacedFile(target, warn)
    let staged: string | undefined
    try {
      if (text !== undefined) {
        staged = temporaryName(target)
        await createFile(staged, text, { model, warn })
      }
    } catch (error) {
      await replaced?.release()
      throw error
    }
    const onMade = (made: string) => {
      this.#version = made
    }
    return new StagedChange({ path: this.path, target, version, staged, replaced, onMade, warn })
  }
}
