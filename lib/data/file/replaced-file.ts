import { constants, fstatSync, linkSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { errorCode } from '../../error-code'
import { describeVersion } from '../../files/file-version'
import type { Warn } from '../../warn'
import { discard, temporaryName } from './temporary-files'

/**
 * Flags to open a file for reading. Without O_NONBLOCK, which Windows does not have, opening a pipe waits for
 * a writer.
 */
export const TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Keeps a file that is about to be replaced. It gets a second name, a hard link, so that it can be put back:
 * a program that is still writing into it then writes into the right file.
 *
 * @param path of the file itself, not of a symbolic link to it
 * @param warn told when it cannot be put back, or when its second name cannot be removed
 * @throws NodeJS.ErrnoException when it cannot be opened or linked, with `EXDEV` when it is mounted by itself
 */
export async function keepReplacedFile(path: string, warn: Warn) {
  const handle = await open(path, TO_READ)
  const link = temporaryName(path)
  try {
    const isLinked = tryLink(path, link)
    return {
      stats: () => fstatSync(handle.fd),

      version: () => describeVersion(fstatSync(handle.fd, { bigint: true })),

      /**
       * Puts the file, or a copy if there are no hard links, in the place of the one that replaced it.
       *
       * @returns whether it could be put back
       */
      putBack(): boolean {
        try {
          const { mode } = fstatSync(handle.fd)
          if (!isLinked) writeFileSync(link, readFileSync(handle.fd), { flag: 'wx', mode })
          renameSync(link, path)
          return true
        } catch (error) {
          warn(
            `${path} was saved by somebody else in the moment in which the server replaced it, ` +
              'and their text is lost.',
            error,
          )
          return false
        }
      },

      async [Symbol.asyncDispose](): Promise<void> {
        discard([link], warn)
        // Last: freeing the space of a large file takes milliseconds, and here a thread does it.
        await handle.close()
      },
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The error codes of a file system without hard links, or for a file with too many of them. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

function tryLink(path: string, link: string): boolean {
  try {
    linkSync(path, link)
    return true
  } catch (error) {
    if (NO_LINKS.includes(errorCode(error))) return false
    throw error
  }
}

/**
 * Whether a file can be put back by a hard link. Nothing is left of the attempt.
 *
 * @throws NodeJS.ErrnoException when the file cannot be replaced at all
 */
export function canBeLinked(path: string, warn: Warn): boolean {
  const link = temporaryName(path)
  const isLinked = tryLink(path, link)
  discard([link], warn)
  return isLinked
}
