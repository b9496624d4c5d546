import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../error-code'
import type { Warn } from '../../warn'
import { NotDurableError } from './file-errors'

/** Opens the folder of a file. Undefined on Windows, where a folder cannot be opened, nor be synced. */
export async function openFolder(file: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(path.dirname(file), 'r')
}

/**
 * Returns when a renaming in a folder is on the disk.
 *
 * @param name names the renamed file in an error's sentence
 * @throws NotDurableError when the folder could not be synced
 */
export async function syncFolder(folder: FileHandle | undefined, name: string): Promise<void> {
  try {
    await folder?.sync()
  } catch (error) {
    const code = errorCode(error)
    // The error code of file systems that cannot sync a folder: see fsync(2).
    if (code !== 'EINVAL') throw new NotDurableError(name, code)
  }
}

/** Closes a folder. Never fails: nothing was written to it. */
export async function closeFolder(folder: FileHandle | undefined, warn: Warn): Promise<void> {
  try {
    await folder?.close()
  } catch (error) {
    warn(`Cannot close the folder of the data file (${errorCode(error)}): no change is lost.`)
  }
}
