import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../../error-code'
import type { Warn } from '../../warn'
import { NotDurableError } from './file-errors'

/**
 * Runs an action that renames a file, and returns when that is on the disk. The folder is opened before anything is
 * changed: a change that was made must not fail for want of a file descriptor.
 *
 * @param file path of the file in its folder
 * @param name names the file in an error's sentence
 * @param warn told when the folder cannot be closed
 * @throws NotDurableError when the folder could not be synced after the action; whatever the action throws
 */
export async function inSyncedFolder(
  file: string,
  { name, warn }: { name: string; warn: Warn },
  action: () => Promise<void>,
): Promise<void> {
  const folder = await openFolder(file)
  try {
    await action()
    await sync(folder, name)
  } finally {
    await close(folder, warn)
  }
}

/** Undefined on Windows, where a folder cannot be opened, nor be synced. */
async function openFolder(file: string): Promise<FileHandle | undefined> {
  return process.platform === 'win32' ? undefined : open(path.dirname(file), 'r')
}

async function sync(folder: FileHandle | undefined, name: string): Promise<void> {
  try {
    await folder?.sync()
  } catch (error) {
    const code = errorCode(error)
    // The error code of file systems that cannot sync a folder: see fsync(2).
    if (code !== 'EINVAL') throw new NotDurableError(name, code)
  }
}

/** Never fails: nothing was written to it. */
async function close(folder: FileHandle | undefined, warn: Warn): Promise<void> {
  try {
    await folder?.close()
  } catch (error) {
    warn(`Cannot close the folder of the data file (${errorCode(error)}): no change is lost.`)
  }
}
