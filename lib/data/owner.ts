import { randomBytes } from 'node:crypto'
import { errorCode } from '../error-code'

/**
 * Names this process in its files: by its id and by a random tag, because a container gives
 * every process that it starts the same id.
 */
export const OWNER = `${process.pid}-${randomBytes(4).toString('hex')}`

/**
 * Whether the process that is named so may still run on this machine.
 *
 * @param owner an {@link OWNER}, possibly of a process long gone
 */
export function isRunning(owner: string): boolean {
  const pid = Number.parseInt(owner, 10)
  if (pid === process.pid) return owner === OWNER
  if (Number.isNaN(pid)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: there is such a process, and it belongs to somebody else.
    return errorCode(error) === 'EPERM'
  }
}
