import { constants } from 'node:buffer'
import { errorCode, errorMessage } from '../error-code'
import { HttpError } from '../errors'
import { DataError } from './data-source'
import { ChangedElsewhereError, TooLargeError } from './guarded-file'

const LARGEST = `${Math.round(constants.MAX_STRING_LENGTH / 2 ** 20)} MB, the longest text that can be read`

/** A client that sends its request again after a second will often find that the other writer is done. */
const SOON = { 'Retry-After': '1' }

/**
 * One sentence that says why a file could not be read or parsed.
 *
 * @param name names the file in the sentence
 */
export function toDataError(error: unknown, name: string): DataError {
  if (error instanceof DataError) return error
  if (error instanceof SyntaxError) {
    const [firstLine = ''] = error.message.split('\n')
    const [, problem = firstLine, line, column] = /^(.*) at (\d+):(\d+)$/.exec(firstLine) ?? []
    const position = line === undefined ? '' : ` at line ${line}, column ${column}`
    return new DataError(`${name} is not valid JSON${position}: ${problem}.`)
  }
  if (error instanceof TooLargeError) return new DataError(`${name} is larger than ${LARGEST}: split it.`)
  const code = errorCode(error)
  if (code === 'ENOENT') return new DataError(`${name} does not exist: create it, or name another data file.`)
  if (code === 'EISDIR') return new DataError(`${name} is a folder, not a file.`)
  if (code === 'ELOOP') return new DataError(`${name} is a symbolic link that leads to itself.`)
  return new DataError(`${name} cannot be read (${code ?? errorMessage(error)}).`)
}

/** The error for a change at the same time as somebody else's. */
export function crossed(name: string): HttpError {
  return new HttpError(
    503,
    `${name} was changed by somebody else at the same moment. Send the request again.`,
    SOON,
  )
}

/** The error for a change while the file cannot be served. */
export function unavailable(fault: DataError): HttpError {
  return new HttpError(503, `Nothing can be saved at the moment: ${fault.message}`, SOON)
}

/** The error for a change whose write has failed. */
export function notSaved(error: unknown, name: string): HttpError {
  if (error instanceof ChangedElsewhereError) return crossed(name)
  if (error instanceof HttpError) return error
  return new HttpError(
    isMounted(error) ? 503 : 500,
    `The change was not made, because ${whyNotWritten(error, name)}.`,
  )
}

/** What keeps a file from being written, as the second half of a sentence. */
export function whyNotWritten(error: unknown, name: string): string {
  if (error instanceof TooLargeError) return `${name} would be larger than ${LARGEST}`
  if (isMounted(error))
    return `${name} is mounted by itself and cannot be replaced (mount its folder instead)`
  return `${name} could not be written (${codeOf(error)})`
}

/** The error codes for a file that is mounted by itself, as into a container. */
export function isMounted(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EXDEV' || code === 'EBUSY'
}

function codeOf(error: unknown): unknown {
  return errorCode(error) ?? errorMessage(error)
}
