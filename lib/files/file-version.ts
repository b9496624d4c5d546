import { type BigIntStats, statSync } from 'node:fs'
import { errorCode } from '../error-code'

/**
 * Tells two states of a file apart: a replaced file has another inode, a changed one another size or time.
 *
 * @returns the code of the error, such as `ENOENT`, for a file that cannot be examined
 */
export function versionOf(file: string): string {
  try {
    return describeVersion(statSync(file, { bigint: true }))
  } catch (error) {
    return String(errorCode(error))
  }
}

/** The version of a file whose statistics are known. */
export function describeVersion({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`
}
