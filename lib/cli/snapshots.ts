import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { DataSource } from '../data/data-source'
import { errorMessage } from '../error-code'

export interface SnapshotOptions {
  data: DataSource
  /** Folder that snapshots are written to. */
  folder: string
  /** Where `s` and Enter come from. */
  input: Readable
  /** Told of each snapshot and each failure. */
  report: (sentence: string) => void
}

/** json-server's snapshot key: `s` and Enter write the data as it is now to `db-<milliseconds>.json`. */
export function takeSnapshotsOnKey({ data, folder, input, report }: SnapshotOptions): void {
  input.setEncoding('utf8')
  input.on('data', (typed: string) => {
    if (typed.trim().toLowerCase() !== 's') return
    const file = path.join(folder, `db-${Date.now()}.json`)
    try {
      writeFileSync(file, JSON.stringify(data.state, null, 2))
      report(`Saved a snapshot to ${path.relative(process.cwd(), file)}.`)
    } catch (error) {
      report(`No snapshot was saved: ${errorMessage(error)}.`)
    }
  })
  // Without a terminal there may be nothing to read; the server works all the same.
  input.on('error', () =>
    report('The standard input cannot be read, so no snapshots can be taken from here.'),
  )
}
