import { constants } from 'node:buffer'
import { readFileSync, realpathSync, renameSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../error-code'
import { versionOf } from '../file-version'
import { createFile } from './create-file'
import { discard, discardLeftovers, nameBeside } from './files-beside'
import { removeAbandonedLock, withLock } from './lock'
import { NotDurableError } from './not-durable-error'
import { canBeLinked, OldFile } from './old-file'

/** Somebody else changed the file after it was last read or written. */
export class ChangedElsewhereError extends Error {
  override readonly name = 'ChangedElsewhereError'
}

/** The text is longer than the longest string. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

interface Replacement {
  /** The version that the file must still have. */
  version: string
  target: string
  text: Buffer
  onReplaced: () => void
}

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
   * @throws TooLargeError when no program on Node could hold its text in one string
   * @throws NodeJS.ErrnoException when it cannot be read
   */
  read(): Buffer {
    // The version is taken first: a change that comes between the two is then seen as one, and read again.
    const version = versionOf(this.path)
    // A file that cannot be read now may be readable later without a change.
    this.#version = UNKNOWN
    refuseTooLarge(statSync(this.path).size)
    const text = readFileSync(this.path)
    this.#version = version
    return text
  }

  /**
   * Replaces the file's text as a whole, and returns when it is on the disk. The file's mode, its owner and a
   * symbolic link to it are kept. A program that has the file open at that moment and saves later, saves into the old file.
   *
   * @param text the new text, in UTF-8
   * @param onReplaced called in the moment in which the new text takes the place of the old
   * @throws ChangedElsewhereError when somebody else changed the file since it was last read or written
   * @throws TooLargeError when it could not be read again; the file is then as it was
   * @throws NotDurableError when the text was replaced, but its folder could not be synced
   * @throws NodeJS.ErrnoException when it cannot be written; the file is then as it was
   */
  async replace(text: Buffer, onReplaced: () => void): Promise<void> {
    refuseTooLarge(text.length)
    // Read first: a change that is reloaded while this waits must not be overwritten either.
    const version = this.#version
    try {
      const target = realpathSync(this.path)
      await this.#replace({ version, target, text, onReplaced })
    } catch (error) {
      if (errorCode(error) === 'ENOENT')
        throw new ChangedElsewhereError('The file was removed.', { cause: error })
      throw error
    }
  }

  async #replace(replacement: Replacement): Promise<void> {
    const { target } = replacement
    const old = await OldFile.hold(target)
    try {
      // Opened before anything is changed, so that too few file descriptors cannot fail a change that was made.
      const folder = await openFolder(target)
      try {
        await this.#stageAndRename(replacement, old)
        await sync(folder, path.basename(this.path))
      } finally {
        await folder?.close()
      }
    } finally {
      await old.release()
    }
  }

  async #stageAndRename({ version, target, text, onReplaced }: Replacement, old: OldFile): Promise<void> {
    const staged = nameBeside(target)
    await createFile(staged, text, old.stats)
    try {
      await withLock(target + LOCK, () => {
        if (versionOf(this.path) !== version) throw new ChangedElsewhereError()
        // Not read again later: somebody else's change after this moment must be seen as theirs.
        const newVersion = versionOf(staged)
        renameSync(staged, target)
        // Somebody may have begun to write into the old file in the instant before it was replaced.
        if (old.version !== version && old.putBack()) throw new ChangedElsewhereError()
        this.#version = newVersion
        onReplaced()
      })
    } finally {
      discard(staged)
    }
  }
}

const LOCK = '.lock'
const UNKNOWN = 'unknown'

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

function refuseTooLarge(bytes: number): void {
  if (bytes > constants.MAX_STRING_LENGTH) throw new TooLargeError()
}
