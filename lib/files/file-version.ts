import { type BigIntStats, statSync } from 'node:fs'
import { errorCode } from '../error-code'

/**
 * Tells two states of a file apart: a replaced file has another inode, a changed one another size or time.
 *
 * @returns the code of the error, such as `ENOENT`, for a file that cannot be examined
 */
export function versionOf(file: string): string {
  try {
    return versionOfExisting(file)
  } catch (error) {
    return String(errorCode(error))
  }
}

/**
 * The same for a file that must be there.
 *
 * @throws NodeJS.ErrnoException when it cannot be examined
 */
export function versionOfExisting(file: string): string {
  return describeVersion(statSync(file, { bigint: true }))
}

/** Whether a version is that of an empty file. */
export function isEmptyVersion(version: string): boolean {
  return version.split(' ')[1] === '0'
}

/** The version of a file whose statistics are known. */
export function describeVersion({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`
}
