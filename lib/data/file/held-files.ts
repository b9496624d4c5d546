import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../error-code'

/** Milliseconds between two attempts: a second in all. */
const PAUSES = [10, 20, 40, 80, 150, 300, 400]

const HELD: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY']

/**
 * Whether an error may say that another program has the file open. Only Windows refuses to rename or to
 * remove such a file, and virus scanners and indexers open every file that was written
 * (npm/write-file-atomic#227).
 */
export function mayBeHeld(error: unknown): boolean {
  return process.platform === 'win32' && HELD.includes(errorCode(error))
}

/**
 * Tries again, for a second and with growing pauses, while another program may have the file open.
 *
 * @param attempt begins anew each time: nothing that it has looked at before a pause is still certain
 * @returns what the first successful attempt returns
 * @throws whatever the last attempt throws
 */
export async function retryWhileHeld<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  for (const pause of PAUSES) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayBeHeld(error)) throw error
    }
    await sleep(pause)
  }
  return attempt()
}
