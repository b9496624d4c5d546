import { constants } from 'node:buffer'
import { errorCode, errorMessage } from '../../error-code'
import { HttpError, RETRY_SOON } from '../../errors'
import type { Warn } from '../../warn'
import { DataError } from '../valid-data'
import { mayBeHeld } from './held-files'

/**
 * `CHANGED`: somebody else changed the file after it was last read or written; `TOO_LARGE`: its text is too long to
 * be read again; `NOT_A_FILE`: it is a folder, a pipe or a device; `NOT_OURS`: it is another user's, in a folder in
 * which nobody else may replace it.
 */
type FileErrorCode = 'CHANGED' | 'TOO_LARGE' | 'NOT_A_FILE' | 'NOT_OURS'

/** Why a file cannot be read or replaced, where the system has no code for it. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: FileErrorCode

  constructor(code: FileErrorCode) {
    super(code)
    this.code = code
  }
}

/** The change is made, in memory and in the file, but its folder could not be synced. */
export class NotDurableError extends HttpError {
  constructor(name: string, code: unknown) {
    super({
      status: 500,
      message:
        'The change was made, but a power failure may undo it, ' +
        `because the folder of ${name} could not be synced (${code}).`,
    })
  }
}

/** Some files of a change are made, and could not be put back when another one failed. */
export class PartlyMadeError extends HttpError {
  constructor(names: readonly string[], cause: unknown) {
    super({
      status: 500,
      message:
        `The change was made in ${names.join(' and ')} alone, because another file could not be written, nor ` +
        `${names.length > 1 ? 'these' : 'this'} put back (${codeOf(cause)}): look at the data before you send the request again.`,
    })
  }
}

const LONGEST_STRING = Math.round(constants.MAX_STRING_LENGTH / 2 ** 20)

/** What is wrong with a file that cannot be read, by the code of the error. */
const UNREADABLE = new Map<unknown, string>([
  ['ENOENT', 'does not exist: create it, or name another data file'],
  ['ELOOP', 'is a symbolic link that leads to itself'],
  ['NOT_A_FILE', 'is not a file, but a folder, a pipe, a socket or a device: put a JSON file in its place'],
  [
    'TOO_LARGE',
    `is larger than ${LONGEST_STRING} MB, the longest text that can be read: split it, and name a .cjs file that requires the parts`,
  ],
])

const MOUNTED = ' is mounted by itself and cannot be replaced (mount its folder instead)'

/** What keeps a file from being written until somebody does something about it, by the code of the error. */
const UNWRITABLE = new Map<unknown, string>([
  ['EXDEV', MOUNTED],
  ['EBUSY', MOUNTED],
  ['EROFS', ' is on a read-only disk (start with --in-memory to make changes that are not saved)'],
  [
    'NOT_OURS',
    " is another user's, in a folder with the sticky bit (put it into a folder of yours, or start with --in-memory)",
  ],
  [
    'TOO_LARGE',
    ` would be larger than half the heap or ${LONGEST_STRING} MB, and could not be read again ` +
      '(delete records, or give Node.js more memory with --max-old-space-size)',
  ],
])

/** Windows has the same codes for a file that another program holds and for one that nobody may change. */
const HELD = ' is open in another program, or read-only (close it there, or make it writable)'

/**
 * One sentence that says why a file cannot be read.
 *
 * @param name names the file in the sentence
 */
export function notReadable(error: unknown, name: string): DataError {
  if (error instanceof DataError) return error
  const code = codeOf(error)
  return new DataError(`${name} ${UNREADABLE.get(code) ?? `cannot be read (${code})`}.`)
}

/** The error for a change at the same time as somebody else's. */
export function conflict(name: string): HttpError {
  return new HttpError({
    status: 503,
    message:
      `The change was not made, because somebody else has changed ${name} at the same moment. ` +
      'Send the request again.',
    headers: RETRY_SOON,
  })
}

/** The error for a change while what is saved cannot be served: somebody must mend it. */
export function notUsable(unusable: DataError): HttpError {
  return new HttpError({
    status: 503,
    message: `Nothing can be saved at the moment: ${unusable.message}`,
    headers: RETRY_SOON,
  })
}

/** The error for a change of a resource that is gone. */
export function notChangeable(gone: DataError): HttpError {
  return new HttpError({
    status: 503,
    message: `The change was not made: ${gone.message}`,
    headers: RETRY_SOON,
  })
}

/** The error for a change whose write has failed. */
export function notSaved(error: unknown, name: string): HttpError {
  if (error instanceof HttpError) return error
  const code = codeOf(error)
  if (code === 'CHANGED') return conflict(name)
  const isHeld = mayBeHeld(error)
  return new HttpError({
    status: isHeld || UNWRITABLE.has(code) ? 503 : 500,
    message: `The change was not made, because ${whyNotWritten(error, name)}.`,
    headers: isHeld ? RETRY_SOON : {},
  })
}

/**
 * The error for a change whose write has failed. What a client must not see is a warning.
 *
 * @param where the name of what was written for a client, and its place for whoever runs the server
 */
export function reportedFailure(
  error: unknown,
  { name, place, warn }: { name: string; place: string; warn: Warn },
): HttpError {
  const failure = notSaved(error, name)
  // The first line of a system's error says all; of any other, the stack may help.
  const cause = errorCode(error) === undefined ? [error] : []
  if (failure !== error && failure.status === 500)
    warn(`Cannot write ${place}: ${errorMessage(error)}.`, ...cause)
  return failure
}

/** What keeps a file from being written, as the second half of a sentence. */
export function whyNotWritten(error: unknown, name: string): string {
  if (mayBeHeld(error)) return name + HELD
  const code = codeOf(error)
  return name + (UNWRITABLE.get(code) ?? ` could not be written (${code})`)
}

function codeOf(error: unknown): unknown {
  return errorCode(error) ?? errorMessage(error)
}
