import { statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { DataSource } from '../data/data-source'
import { textOf } from '../data/data-text'
import { createFile } from '../data/file/create-file'
import { whyNotWritten } from '../data/file/file-errors'

/**
 * json-server's snapshot key: `s` and Enter write the data as it is now to `db-<milliseconds>.json`.
 *
 * @param folder the snapshots are written to it
 * @param source where the data comes from; a snapshot gets the permissions of this, if it is a file
 * @param print called with a sentence for each snapshot; one that could not be saved is an error
 * @param input where `s` and Enter come from
 */
export function takeSnapshotsOnKey(
  data: DataSource,
  { snapshots: folder, source }: { snapshots: string; source: string },
  print: (sentence: string) => void,
  input: Readable = process.stdin,
): void {
  input.setEncoding('utf8')
  input.on('data', async (typed: string) => {
    if (typed.trim().toLowerCase() !== 's') return
    const file = path.join(folder, `db-${Date.now()}.json`)
    try {
      // Where that is no file, only the owner of a snapshot may read it.
      const found = statSync(source, { throwIfNoEntry: false })
      const model = found?.isFile() ? found : undefined
      await createFile(file, textOf(data.state), { model, warn: console.error })
      print(`Saved a snapshot to ${file}.`)
    } catch (error) {
      const problem = whyNotWritten(error, file)
      console.error(`No snapshot was saved, because ${problem}: check its folder, and type s again.`)
    }
  })
  // Without a terminal there may be nothing to read; the server works without snapshots.
  input.on('error', () => {})
}
