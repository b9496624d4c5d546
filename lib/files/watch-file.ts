import { versionOf } from './file-version'

/** Milliseconds between two looks at a file. */
const INTERVAL = 100

export interface FileWatcher {
  close(): void
}

/**
 * Calls a function when a file was written, replaced, removed or created, or when a symbolic link on its path
 * was changed. The file is looked at again and again: the events of a system would have to be asked for in
 * every folder that a link leads through, and are missing in many containers and network folders.
 */
export function watchFile(file: string, onChange: () => void): FileWatcher {
  let version = versionOf(file)
  const timer = setInterval(() => {
    const current = versionOf(file)
    if (current === version) return
    version = current
    onChange()
  }, INTERVAL).unref()
  return { close: () => clearInterval(timer) }
}
