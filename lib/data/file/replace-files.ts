import path from 'node:path'
import { errorCode } from '../../error-code'
import type { Warn } from '../../warn'
import { FileError, PartlyMadeError } from './file-errors'
import { retryWhileHeld } from './held-files'
import { withLock } from './lock'
import type { StagedChange } from './staged-change'
import { inSyncedFolder } from './synced-folder'

/** A change of the file of a path, which is written beside that first. */
export interface FileChange {
  path: string
  stage: () => Promise<StagedChange>
}

interface ReplaceOptions {
  /** Path of the file itself that names the folder: all changes are in it. */
  target: string
  /** Path of the lock file, under which no other process changes a file of these. */
  lock: string
  /** Called at the moment when all changes are made. */
  onReplaced: () => void
  /** Makes an error of one that concerns the file of a path. Default: the same. */
  failure?: (error: unknown, path: string) => unknown
  warn: Warn
}

/**
 * Changes files of one folder, and returns when that is on the disk. All new texts are there before the first file is
 * replaced; where one cannot be, those before it are put back.
 *
 * @throws NotDurableError when the changes were made, but the folder could not be synced
 * @throws PartlyMadeError when a file could not be put back
 * @throws whatever `failure` makes of another error; all files are then as they were
 */
export async function replaceFiles(changes: readonly FileChange[], options: ReplaceOptions): Promise<void> {
  const { target, lock, onReplaced, failure = (error) => error, warn } = options
  const names = changes.map((change) => path.basename(change.path))
  /** The file that is being changed. */
  let current = target
  const staged: StagedChange[] = []

  function makeAll(): void {
    const made: StagedChange[] = []
    try {
      for (const change of staged) {
        current = change.path
        change.make()
        made.unshift(change)
      }
    } catch (error) {
      undoAll(made, error)
      throw error
    }
    for (const change of staged) change.keep()
    onReplaced()
  }

  async function change(): Promise<void> {
    try {
      for (const next of changes) {
        current = next.path
        staged.push(await next.stage())
      }
      await retryWhileHeld(() => withLock(lock, makeAll, warn))
    } finally {
      for (const change of staged) await change.clear()
    }
  }

  try {
    await inSyncedFolder(target, { name: names.join(' and '), warn }, change)
  } catch (error) {
    throw failure(errorCode(error) === 'ENOENT' ? new FileError('CHANGED') : error, current)
  }
}

/** @throws PartlyMadeError when a change cannot be taken back */
function undoAll(made: readonly StagedChange[], cause: unknown): void {
  const left = made.filter((change) => {
    try {
      change.undo()
      return false
    } catch {
      return true
    }
  })
  if (left.length > 0)
    throw new PartlyMadeError(
      left.map((change) => path.basename(change.path)),
      cause,
    )
}
