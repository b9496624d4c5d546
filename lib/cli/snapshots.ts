import { statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { DataSource } from '../data/data-source'
import { DataText } from '../data/data-text'
import { createFile } from '../data/file/create-file'
import { whyNotWritten } from '../data/file/file-errors'

export interface SnapshotOptions {
  data: DataSource
  /**
   * Where the data comes from. A snapshot gets the permissions of this file; where there is none, only its
   * owner may read it.
   */
  source: string
  /** Folder that snapshots are written to. */
  folder: string
  /** Where `s` and Enter come from. */
  input: Readable
  /** Called with a sentence for each snapshot. */
  report: (sentence: string) => void
  /** Called with a sentence for each snapshot that could not be saved. */
  reportFailure: (sentence: string) => void
}

/** json-server's snapshot key: `s` and Enter write the data as it is now to `db-<milliseconds>.json`. */
export function takeSnapshotsOnKey({
  data,
  source,
  folder,
  input,
  report,
  reportFailure,
}: SnapshotOptions): void {
  input.setEncoding('utf8')
  input.on('data', async (typed: string) => {
    if (typed.trim().toLowerCase() !== 's') return
    const file = path.join(folder, `db-${Date.now()}.json`)
    try {
      const text = new DataText().serialise(data.state)
      const model = statSync(source, { throwIfNoEntry: false })
      await createFile(file, text, { model, warn: reportFailure })
      report(`Saved a snapshot to ${path.relative('', file)}.`)
    } catch (error) {
      const problem = whyNotWritten(error, path.relative('', file))
      reportFailure(`No snapshot was saved, because ${problem}: check its folder, and type s again.`)
    }
  })
  // Without a terminal there may be nothing to read; the server works without snapshots.
  input.on('error', () => {})
}
