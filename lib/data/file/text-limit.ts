import { constants } from 'node:buffer'
import { getHeapStatistics } from 'node:v8'
import { lengthOf } from './create-file'
import { FileError } from './file-errors'

/**
 * Refuses a text that could not be read again, unless the one before it was no shorter.
 *
 * @throws FileError when it is too large
 */
export function checkLength(text: readonly Buffer[], before: readonly Buffer[]): void {
  const length = lengthOf(text)
  if (length > largestText() && length > lengthOf(before)) throw new FileError('TOO_LARGE')
}

/**
 * How long a text can become, in bytes. The next start holds the text more than once, beside the heap. Data
 * that fits into the heap has a longer text only where it is nested deep: its lines are then mostly spaces.
 */
function largestText(): number {
  return Math.min(constants.MAX_STRING_LENGTH, getHeapStatistics().heap_size_limit / 2)
}
