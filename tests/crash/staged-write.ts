import { watch } from 'node:fs'

/** Waits for the first sign that a write is under way in a folder: a file beside a data file. */
export function stagedWrite(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder, (_event, name) => {
      if (name === null || name.endsWith('.json')) return
      watcher.close()
      resolve()
    })
    watcher.on('error', reject)
  })
}
