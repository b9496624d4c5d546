import { HttpError } from '../../errors'

/** Why a file cannot be read or replaced, where the system has no code for it. */
export class FileError extends Error {
  override readonly name = 'FileError'

  /**
   * @param code `CHANGED`: somebody else changed the file after it was last read or written; `TOO_LARGE`: its text is longer
   *   than the longest string; `NOT_A_FILE`: it is a folder, a pipe or a device
   */
  constructor(readonly code: 'CHANGED' | 'TOO_LARGE' | 'NOT_A_FILE') {
    super(code)
  }
}

/** The change is made, in memory and in the file, but its folder could not be synced. */
export class NotDurableError extends HttpError {
  constructor(name: string, code: unknown) {
    super(
      500,
      `The change was made, but a power failure may undo it, because the folder of ${name} could not be synced (${code}).`,
    )
  }
}
