import { constants } from 'node:buffer'
import { closeSync, fstatSync, openSync, readFileSync, realpathSync, renameSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../error-code'
import { describeVersion, versionOf } from '../../file-version'
import { createFile, lengthOf } from './create-file'
import { FileError, NotDurableError } from './file-error'
import { discard, discardLeftovers, nameBeside } from './files-beside'
import { removeAbandonedLock, withLock } from './lock'
import { canBeLinked, holdOldFile, TO_READ } from './old-file'

const LOCK = '.lock'
const UNKNOWN = 'unknown'

/** A text file that is read whole and replaced whole, but never over somebody else's change. */
export class GuardedFile {
  #version = UNKNOWN

  /** @param path of the file, or of a symbolic link to it */
  constructor(readonly path: string) {}

  /** Whether somebody else has changed, replaced or removed the file since it was last read or written. */
  get changedElsewhere(): boolean {
    return versionOf(this.path) !== this.#version
  }

  /**
   * Removes the temporary files that killed processes have left beside the file, and tests whether it can be replaced.
   *
   * @returns whether it can be put back by a hard link when somebody else saves it in the moment of its replacement
   * @throws NodeJS.ErrnoException when it cannot be replaced; `EXDEV` means that it is mounted by itself
   */
  prepare(): boolean {
    const target = realpathSync(this.path)
    discardLeftovers(target)
    removeAbandonedLock(target + LOCK)
    return canBeLinked(target)
  }

  /**
   * Reads the whole file.
   *
   * @throws FileError when it is no file, or no program on Node could hold its text in one string
   * @throws NodeJS.ErrnoException when it cannot be read
   */
  read(): Buffer {
    // A file that cannot be read now may be readable later without a change.
    this.#version = UNKNOWN
    const descriptor = openSync(this.path, TO_READ)
    try {
      const stats = fstatSync(descriptor, { bigint: true })
      if (!stats.isFile()) throw new FileError('NOT_A_FILE')
      refuseTooLarge(stats.size)
      const text = readFileSync(descriptor)
      // The version from before the reading: a change in between is then noticed, and read again.
      this.#version = describeVersion(stats)
      return text
    } finally {
      closeSync(descriptor)
    }
  }

  /**
   * Replaces the file's text as a whole, and returns when it is on the disk. The file's mode, its owner and a
   * symbolic link to it are kept. A program that has the file open at that moment and saves it later, writes into the old file.
   *
   * @param text the new text, in UTF-8 and in pieces
   * @param onReplaced called in the moment in which the new text takes the place of the old
   * @throws FileError when somebody else changed the file since it was last read or written, or when it could not be read
   *   again; the file is then as it was
   * @throws NotDurableError when the text was replaced, but its folder could not be synced
   * @throws NodeJS.ErrnoException when it cannot be written; the file is then as it was
   */
  async replace(text: readonly Buffer[], onReplaced: () => void): Promise<void> {
    refuseTooLarge(lengthOf(text))
    // Read first: a change that is reloaded while this waits must not be overwritten either.
    const version = this.#version
    try {
      const target = realpathSync(this.path)
      const staged = nameBeside(target)
      await using old = await holdOldFile(target)
      // Opened before anything is changed, so that too few file descriptors cannot fail a change that was made.
      await using folder = await openFolder(target)
      await createFile(staged, text, old.stats())
      try {
        await withLock(target + LOCK, () => {
          // Not read again later: somebody else's change after this moment must be seen as theirs.
          const newVersion = versionOf(staged)
          // Nothing may stand between this look and the renaming.
          if (versionOf(this.path) !== version) throw new FileError('CHANGED')
          renameSync(staged, target)
          // Somebody may have begun to write into the old file in the instant before it was replaced.
          if (old.version() !== version && old.putBack()) throw new FileError('CHANGED')
          this.#version = newVersion
          onReplaced()
        })
      } finally {
        discard(staged)
      }
      await sync(folder, path.basename(this.path))
    } catch (error) {
      throw errorCode(error) === 'ENOENT' ? new FileError('CHANGED') : error
    }
  }
}

/** Undefined where a folder cannot be opened, and need not be synced for a rename to last. */
async function openFolder(file: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(path.dirname(file), 'r')
}

async function sync(folder: FileHandle | undefined, name: string): Promise<void> {
  try {
    await folder?.sync()
  } catch (error) {
    const code = errorCode(error)
    // The error codes of file systems that cannot sync a folder.
    if (code !== 'EINVAL') throw new NotDurableError(name, code)
  }
}

function refuseTooLarge(bytes: number | bigint): void {
  if (bytes > constants.MAX_STRING_LENGTH) throw new FileError('TOO_LARGE')
}
