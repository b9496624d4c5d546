import { isEmptyVersion, versionOf } from './file-version'

/** Milliseconds between two looks at a file. */
export const WATCH_INTERVAL = 100

/**
 * Calls a function when a file was written, replaced, removed or created, or when a symbolic link on its path
 * was changed. The file is looked at again and again: the events of a system would have to be asked for in
 * every folder that a link leads through, and are missing in many containers and network folders. An empty file is
 * looked at twice, because an editor may be about to fill it.
 *
 * @param version that of the file which was read. Default: that of now.
 * @returns the timer, for `clearInterval`
 */
export function watchFile(file: string, onChange: () => void, version = versionOf(file)): NodeJS.Timeout {
  let told = version
  let last = version
  return setInterval(() => {
    const current = versionOf(file)
    const isNew = current !== last
    last = current
    if (current === told || (isNew && isEmptyVersion(current))) return
    told = current
    onChange()
  }, WATCH_INTERVAL).unref()
}
