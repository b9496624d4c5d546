import { renameSync, unlinkSync } from 'node:fs'
import { versionOf, versionOfExisting } from '../../files/file-version'
import type { Warn } from '../../warn'
import { FileError } from './file-errors'
import type { ReplacedFile } from './replaced-file'
import { discard } from './temporary-files'

/** The version of a file that is not there. */
export const NOT_THERE = 'ENOENT'

interface StagedChangeOptions {
  /** As it was given, which may be a symbolic link. */
  path: string
  /** The file itself. */
  target: string
  /** The version of the target that was last read or written. */
  version: string
  /** The new text, in a file beside the target; undefined where the target is to be removed. */
  staged: string | undefined
  /** The target as it was, to be put back; undefined where it is new, or there are no hard links. */
  replaced: ReplacedFile | undefined
  /** Told the new version when the change is final. */
  onMade: (version: string) => void
  warn: Warn
}

/** A change of a file that is on the disk, beside it, and takes effect at once. */
export class StagedChange {
  /** The version of the target since the change was made. */
  #made: string | undefined

  readonly #options: StagedChangeOptions

  constructor(options: StagedChangeOptions) {
    this.#options = options
  }

  get path(): string {
    return this.#options.path
  }

  /**
   * Makes the change, if nobody else has changed the target since it had its version.
   *
   * @throws FileError when somebody has; the target is then theirs
   * @throws NodeJS.ErrnoException when it cannot be made; the target is then as it was
   */
  make(): void {
    const { path, target, version, staged, replaced } = this.#options
    // The version is read before the renaming, so that a later change is seen as somebody else's.
    const newVersion = staged === undefined ? NOT_THERE : versionOfExisting(staged)
    // No other call stands between this comparison and the renaming, because others could save meanwhile.
    if (versionOf(path) !== version) throw new FileError('CHANGED')
    try {
      if (staged === undefined) unlinkSync(target)
      else renameSync(staged, target)
    } catch (error) {
      // A network file system may make a change and report that it failed.
      if (versionOf(target) !== newVersion) throw error
    }
    // From here on the change is made: whatever fails is a warning.
    this.#made = newVersion
    if (replaced === undefined || !this.#putBackIfSaved(replaced)) return
    this.#made = undefined
    throw new FileError('CHANGED')
  }

  /**
   * Takes back a change that was made.
   *
   * @throws Error when it cannot be: the change then stays, and is seen as somebody else's
   */
  undo(): void {
    const { path, target, version, replaced } = this.#options
    if (versionOf(path) !== this.#made) throw new FileError('CHANGED')
    if (replaced !== undefined) replaced.putBack()
    else if (version === NOT_THERE) unlinkSync(target)
    else throw new Error('there is no hard link to the file as it was')
    this.#made = undefined
  }

  /** Says that the change, which was made, is not taken back any more. */
  keep(): void {
    if (this.#made !== undefined) this.#options.onMade(this.#made)
  }

  /** Removes what is beside the target. */
  async clear(): Promise<void> {
    const { staged, replaced, warn } = this.#options
    if (staged !== undefined && this.#made === undefined) await discard(staged, warn)
    await replaced?.release()
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
      this.#options.warn(
        `If somebody else saved ${this.path} in the moment in which the server replaced it, ` +
          'their text is lost.',
        error,
      )
      return false
    }
  }
}
