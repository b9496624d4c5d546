import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { atExit } from './cleanup'

let temporary: string | undefined
let folders = 0

/** An empty folder, which is removed when the benchmark ends. */
export async function newFolder(): Promise<string> {
  if (temporary === undefined) {
    const created = mkdtempSync(path.join(tmpdir(), 'json-server-bearer-bench-'))
    atExit(() => rmSync(created, { recursive: true, force: true }))
    temporary = created
  }
  folders += 1
  const folder = path.join(temporary, String(folders))
  await mkdir(folder)
  return folder
}
