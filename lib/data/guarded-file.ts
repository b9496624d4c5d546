import {
  fstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { describeVersion, versionOf } from '../file-version'
import { removeAbandonedLock, withLock } from './lock'
import { isRunning, OWNER } from './owner'

/** Somebody else changed the file after it was last read or written. */
export class ChangedElsewhereError extends Error {
  override readonly name = 'ChangedElsewhereError'
}

/** A text file that is read whole and replaced whole, but never over what somebody else has put there. */
export class TextFile {
  #version = ''

  constructor(readonly path: string) {}

  /** Whether somebody else has changed, replaced or removed the file since it was last read or written. */
  get changedElsewhere(): boolean {
    return versionOf(this.path) !== this.#version
  }

  /**
   * Reads the whole file.
   *
   * @throws NodeJS.ErrnoException when it cannot be read
   */
  read(): Buffer {
    // The version is taken first: a change that comes between the two is then seen as one, and read again.
    this.#version = versionOf(this.path)
    return readFileSync(this.path)
  }

  /**
   * Replaces the file's text at one stroke, and returns when it is on the disk. The file's mode, its owner and a
   * symbolic link to it are kept.
   *
   * @param text the new text, in UTF-8
   * @param onReplaced called in the moment in which the new text takes the place of the old
   * @throws ChangedElsewhereError when somebody else changed the file since it was last read or written
   * @throws NodeJS.ErrnoException when it cannot be written; the file is then as it was
   */
  async replace(text: Buffer, onReplaced: () => void): Promise<void> {
    const version = this.#version
    const target = realpathSync(this.path)
    const { mode, uid, gid } = statSync(target)
    const staged = stagedName(target)
    // Held open over the rename: to give back the old file's space takes milliseconds, and is then done by a thread.
    const replaced = await open(target, 'r')
    try {
      // write-file-atomic would rename over the target itself. It stages instead, so that the check for foreign
      // changes and the rename stand side by side, and a write cut short by a full disk (which it takes for
      // done) is noticed.
      await writeFileAtomic(staged, text, { mode, chown: { uid, gid } })
      if (statSync(staged).size !== text.length) throw new Error('ENOSPC: the disk is full')
      await withLock(target + LOCK, () => {
        if (versionOf(this.path) !== version) throw new ChangedElsewhereError()
        // Not looked at afterwards: what somebody else then puts there must be seen as theirs.
        const newVersion = versionOf(staged)
        renameSync(staged, target)
        this.#version = newVersion
        if (describeVersion(fstatSync(replaced.fd, { bigint: true })) !== version) {
          // Somebody wrote into the old file in the instant before it was replaced, so theirs goes back in its place.
          writeFileSync(staged, readFileSync(replaced.fd), { mode })
          renameSync(staged, target)
          throw new ChangedElsewhereError()
        }
        onReplaced()
      })
      await syncFolder(path.dirname(target))
    } finally {
      rmSync(staged, { force: true })
      await replaced.close()
    }
  }
}

const STAGED = '.saving-'
const LOCK = '.lock'

let writes = 0

/** A name of its own for each write, also where one process has the file open twice. */
function stagedName(target: string): string {
  writes += 1
  return `${target}${STAGED}${OWNER}-${writes}`
}

/** Makes a rename last through a power failure, where the system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what processes that were killed in the middle of a write have left beside the file. */
export function removeLeftovers(file: string): void {
  const target = realpathSync(file)
  const prefix = path.basename(target) + STAGED
  for (const name of readdirSync(path.dirname(target))) {
    const [owner] = (name.startsWith(prefix) && /^\d+(-\w+)?/.exec(name.slice(prefix.length))) || []
    if (owner !== undefined && !isRunning(owner))
      rmSync(path.join(path.dirname(target), name), { force: true })
  }
  removeAbandonedLock(target + LOCK)
}
