import { type FSWatcher, lstatSync, readlinkSync, realpathSync, watch } from 'node:fs'
import path from 'node:path'
import { errorCode } from '../error-code'
import type { Warn } from '../warn'
import { versionOf } from './file-version'

/**
 * Milliseconds from the first event of a save to the check of the file: most editors have finished the save
 * by then.
 */
const SETTLING_TIME = 50

/** How many symbolic links are followed, as in Linux. */
const MOST_LINKS = 40

export interface FileWatcher {
  close(): void
}

/**
 * Calls a function when a file was written, replaced, removed or created, or when a symbolic link on its path
 * was changed. Folders are watched, because many editors replace a file instead of writing into it.
 *
 * @param warn told once when a folder cannot be watched
 */
export function watchFile(file: string, onChange: () => void, warn: Warn): FileWatcher {
  const watchers = new Map<string, FSWatcher>()
  let version = versionOf(file)
  let settling: NodeJS.Timeout | undefined
  let isIncomplete = false

  function watchFolders(): void {
    const folders = foldersOf(file)
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue
      try {
        watchers.set(folder, watch(folder, { persistent: false }, settle).on('error', report))
      } catch (error) {
        report(error)
      }
    }
  }

  function settle(): void {
    // Events do not restart the timer: with a program that writes all the time it would never end.
    settling ??= setTimeout(look, SETTLING_TIME).unref()
  }

  function look(): void {
    settling = undefined
    watchFolders()
    const current = versionOf(file)
    if (current === version) return
    version = current
    onChange()
  }

  function report(error: unknown): void {
    if (isIncomplete) return
    isIncomplete = true
    warn(
      `${file} cannot be watched (${errorCode(error)}): ` +
        'restart the server after a change, or let the system watch more files.',
    )
  }

  watchFolders()
  return {
    close() {
      clearTimeout(settling)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** The folders in which a change can make the path lead to another file. */
function foldersOf(file: string): Set<string> {
  const folders = new Set<string>()
  let current = path.resolve(file)
  try {
    for (let links = 0; links < MOST_LINKS; links += 1) {
      const folder = realpathSync(path.dirname(current))
      folders.add(folder)
      if (!lstatSync(current).isSymbolicLink()) break
      current = path.resolve(folder, readlinkSync(current))
    }
  } catch {
    // If a part of the path does not exist, watching the folders above it is enough to see it created.
  }
  return folders
}
