import { realpathSync, watch } from 'node:fs'
import path from 'node:path'

/** Milliseconds that the events of one save by an editor may lie apart. */
const SETTLING_TIME = 20

export interface FileWatcher {
  close(): void
}

/**
 * Tells when a file was written, replaced, removed or made again. Its folder is watched, because many editors
 * replace a file instead of writing into it.
 *
 * @param onError called when the folder cannot be watched any longer
 */
export function watchFile(file: string, onChange: () => void, onError: (error: Error) => void): FileWatcher {
  const target = realpathSync(file)
  let settling: NodeJS.Timeout | undefined
  const watcher = watch(path.dirname(target), { persistent: false }, (_event, name) => {
    if (name !== null && name !== path.basename(target)) return
    clearTimeout(settling)
    settling = setTimeout(onChange, SETTLING_TIME).unref()
  })
  watcher.on('error', onError)
  return {
    close() {
      clearTimeout(settling)
      watcher.close()
    },
  }
}
