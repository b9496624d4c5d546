import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { errorCode } from '../../error-code'
import type { Warn } from '../../warn'
import { discard } from './temporary-files'

interface CreateFileOptions {
  /** The file whose mode and owner the new one gets. Default: only this user may read it. */
  model?: Stats
  /** Told when a part of the file could not be removed after a failure. */
  warn: Warn
}

/**
 * Creates a file and returns when its text is on the disk. An existing file or link is not replaced.
 *
 * @param text in pieces, so that they need not be copied into one
 * @throws NodeJS.ErrnoException when it cannot be written; what there is of it is then removed
 */
export async function createFile(
  file: string,
  text: readonly Buffer[],
  { model, warn }: CreateFileOptions,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    try {
      await writeText(handle, text, model)
    } finally {
      // The file is closed before it is renamed or removed, because Windows does neither with an open one.
      await handle.close()
    }
  } catch (error) {
    await discard(file, warn)
    throw error
  }
}

/** Returns when the text is on the disk, in a file with the mode and the owner of the model. */
async function writeText(
  handle: FileHandle,
  text: readonly Buffer[],
  model: Stats | undefined,
): Promise<void> {
  if (model !== undefined) {
    await handle.chown(model.uid, model.gid).catch(ignoreIfForbidden)
    await handle.chmod(model.mode)
  }
  let rest = [...text]
  for (let left = lengthOf(text); left > 0; ) {
    const { bytesWritten } = await handle.writev(rest)
    left -= bytesWritten
    // The system may have written only a part of it.
    if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)]
  }
  await handle.sync()
}

/** The bytes of all pieces together. */
export function lengthOf(text: readonly Buffer[]): number {
  return text.reduce((sum, piece) => sum + piece.length, 0)
}

/**
 * Only root may give a file to another user; for anybody else it keeps this process's user. The codes are
 * those that graceful-fs ignores for `chown` (polyfills.js).
 */
function ignoreIfForbidden(error: unknown): void {
  const code = errorCode(error)
  if (code !== 'EPERM' && code !== 'EINVAL' && code !== 'ENOSYS') throw error
}
