import { linkSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../error-code'
import { versionOfExisting } from '../../files/file-version'
import type { Warn } from '../../warn'
import { FileError } from './file-errors'
import { discard, temporaryName } from './temporary-files'

/** A file that another one is about to replace. */
export interface ReplacedFile {
  /**
   * Whether somebody has written into it since it is kept, also after it was replaced.
   *
   * @throws NodeJS.ErrnoException when it cannot be examined
   */
  hasChanged: () => boolean
  /**
   * Puts it in the place of the file that replaced it.
   *
   * @throws NodeJS.ErrnoException when it cannot be put there
   */
  putBack: () => void
  /** Removes the second name. Never fails. */
  release: () => Promise<void>
}

/**
 * Keeps a file that is about to be replaced. It gets a second name, a hard link, so that it can be put back:
 * a program that is still writing into it then writes into the right file. Nothing has it open, because
 * Windows refuses to rename a file over an open one (rust-lang/rust#123985).
 *
 * @param path of the file itself, not of a symbolic link to it
 * @param warn told when the second name cannot be removed
 * @returns undefined where there are no hard links: the file can then be replaced, but not put back. A copy
 *   of its text would not do, because a program that is still writing has often emptied it first.
 * @throws FileError when it is another user's, in a folder in which only they may replace it
 * @throws NodeJS.ErrnoException when it cannot be linked, with `EXDEV` when it is mounted by itself
 */
export async function keepReplacedFile(path: string, warn: Warn): Promise<ReplacedFile | undefined> {
  const link = temporaryName(path)
  if (!tryLink(path, link)) return undefined
  try {
    // The version is that of the link, because some file systems give each name an inode number of its own.
    const version = versionOfExisting(link)
    return {
      hasChanged: () => versionOfExisting(link) !== version,
      putBack: () => renameSync(link, path),
      release: () => discard(link, warn),
    }
  } catch (error) {
    await discard(link, warn)
    throw error
  }
}

/**
 * Whether a file can be put back by a hard link. Nothing is left of the attempt.
 *
 * @throws FileError when the file is another user's, in a folder in which only they may replace it
 * @throws NodeJS.ErrnoException when the file cannot be replaced for another reason
 */
export function canBeLinked(path: string): boolean {
  const link = temporaryName(path)
  if (!tryLink(path, link)) return false
  unlinkSync(link)
  return true
}

/** The sticky bit of a folder's mode, as that of `/tmp`. */
const STICKY = 0o1000

/** Whether only others may rename or remove a file: unlink(2), EPERM. Root may do so everywhere. */
function isKeptByOwner(file: string): boolean {
  const user = process.geteuid?.()
  if (user === undefined || user === 0) return false
  const folder = statSync(dirname(file))
  return (folder.mode & STICKY) !== 0 && folder.uid !== user && statSync(file).uid !== user
}

/**
 * @returns false where the file cannot have a second name
 * @throws FileError when it is another user's, in a folder in which only they may replace it
 */
function tryLink(path: string, link: string): boolean {
  // A link to such a file would stay there, because this user cannot remove it.
  if (isKeptByOwner(path)) throw new FileError('NOT_OURS')
  try {
    linkSync(path, link)
    return true
  } catch (error) {
    if (hasNoLinks(errorCode(error))) return false
    throw error
  }
}

/** The error codes of a file system without hard links, or for a file with too many of them. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** On Windows the code depends on the file system: exFAT, for instance, has EISDIR (nodejs/node#65817). */
function hasNoLinks(code: unknown): boolean {
  return process.platform === 'win32' ? code !== 'ENOENT' : NO_LINKS.includes(code)
}
