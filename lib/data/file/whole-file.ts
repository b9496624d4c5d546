import { constants } from 'node:buffer'
import { readFileSync, realpathSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../../error-code'
import { describeVersion, versionOf, versionOfExisting } from '../../files/file-version'
import type { Warn } from '../../warn'
import { createFile } from './create-file'
import { FileError, whyNotWritten } from './file-errors'
import { retryWhileHeld } from './held-files'
import { withLock } from './lock'
import { canBeLinked, keepReplacedFile, type ReplacedFile } from './replaced-file'
import { inSyncedFolder } from './synced-folder'
import { discard, discardLeftovers, temporaryName } from './temporary-files'

const LOCK = '.lock'
const UNKNOWN = 'unknown'

interface Replacement {
  /** The file itself, where the path is a symbolic link to it. */
  target: string
  /** In pieces. */
  text: readonly Buffer[]
  /** The version of the target that was last read or written. */
  version: string
  /** Called at the moment when the new text takes the place of the old. */
  onReplaced: () => void
}

interface Renaming extends Replacement {
  /** The new text, in a file beside the target. */
  staged: string
  /** The target as it was, to be put back; undefined where there are no hard links. */
  replaced: ReplacedFile | undefined
}

/** A text file that is read whole and replaced whole, but never over somebody else's change. */
export class WholeFile {
  readonly #warn: Warn
  #version = UNKNOWN
  /** Why the file can never be replaced, if that is known. */
  #obstacle: FileError | undefined

  readonly path: string

  /**
   * @param path of the file, or of a symbolic link to it
   * @param warn told what goes wrong beside a write without making it fail
   */
  constructor(path: string, warn: Warn) {
    this.path = path
    this.#warn = warn
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
   * @returns whether changes can be saved, as far as that is known
   */
  prepare(): boolean {
    const name = path.basename(this.path)
    try {
      const target = realpathSync(this.path)
      discardLeftovers(target, this.#warn)
      if (!canBeLinked(target))
        this.#warn(
          `No hard link to ${name} can be made: ` +
            'an editor that saves it in the same instant as the server may lose its text.',
        )
      return true
    } catch (error) {
      if (error instanceof FileError) this.#obstacle = error
      // Such a file can still be read.
      this.#warn(`No change can be saved, because ${whyNotWritten(error, name)}.`)
      return false
    }
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
    // Each attempt would leave another link that this user cannot remove.
    if (this.#obstacle !== undefined) throw this.#obstacle
    // The version is that of now: a change that is reloaded while this waits must not be overwritten.
    const version = this.#version
    const folder = { name: path.basename(this.path), warn: this.#warn }
    try {
      const target = realpathSync(this.path)
      await inSyncedFolder(target, folder, () => this.#replace({ target, text, version, onReplaced }))
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileError('CHANGED') : error
    }
  }

  /** Keeps the target, by a second name, until the new text is in its place or cannot be. */
  async #replace(replacement: Replacement): Promise<void> {
    const { target, text } = replacement
    const model = statSync(target)
    const replaced = await keepReplacedFile(target, this.#warn)
    try {
      const staged = temporaryName(target)
      await createFile(staged, text, { model, warn: this.#warn })
      await this.#renameOver({ ...replacement, staged, replaced })
    } finally {
      await replaced?.release()
    }
  }

  /** Renames the staged file over the target, and removes it where that fails. */
  async #renameOver(renaming: Renaming): Promise<void> {
    const { target, staged } = renaming
    try {
      await retryWhileHeld(() => withLock(target + LOCK, () => this.#rename(renaming), this.#warn))
    } catch (error) {
      await discard(staged, this.#warn)
      throw error
    }
  }

  /** Renames it at once, under the lock, if nobody has changed the target since it had its version. */
  #rename({ target, staged, version, replaced, onReplaced }: Renaming): void {
    // The version is read before the renaming, so that a later change is seen as somebody else's.
    const newVersion = versionOfExisting(staged)
    // No other call stands between this comparison and the renaming, because others could save meanwhile.
    if (versionOf(this.path) !== version) throw new FileError('CHANGED')
    try {
      renameSync(staged, target)
    } catch (error) {
      // A network file system may make a change and report that it failed.
      if (versionOf(target) !== newVersion) throw error
    }
    // From here on the change is made: whatever fails is a warning.
    if (replaced !== undefined && this.#putBackIfSaved(replaced)) throw new FileError('CHANGED')
    this.#version = newVersion
    onReplaced()
  }

  /**
   * Puts the replaced file back if somebody has begun to write into it in the instant before it was replaced.
   *
   * @returns whether it was put back
   */
  #putBackIfSaved(replaced: ReplacedFile): boolean {
    try {
      if (!replaced.hasChanged()) return false
      replaced.putBack()
      return true
    } catch (error) {
      this.#warn(
        `If somebody else saved ${this.path} in the moment in which the server replaced it, ` +
          'their text is lost.',
        error,
      )
      return false
    }
  }
}
