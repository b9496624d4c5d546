import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { DataFile } from '../../lib/data/data-file'
import { makeFolder } from '../support/data'

/** The ways in which editors save, and the milliseconds that they pause in the middle. */
export const SAVES = [
  { way: 'truncate and write', pause: 0 },
  { way: 'truncate and write', pause: 5 },
  { way: 'write in place', pause: 0 },
  { way: 'write in place', pause: 5 },
  { way: 'rename', pause: 0 },
  { way: 'rename', pause: 5 },
] as const

interface SavesOptions {
  save: (typeof SAVES)[number]
  count: number
  random: () => number
}

interface SavesResult {
  /** Saves after which the file held the editor's text. */
  theirs: number
  /** Saves after which the file held the server's text. */
  ours: number
  /** Anything else that the file or the server's memory held, one sentence each. */
  errors: string[]
}

/**
 * Saves a data file again and again, each time in the middle of a write of the server, and looks at what is
 * left.
 */
export async function saveDuringWrites({ save, count, random }: SavesOptions): Promise<SavesResult> {
  const folder = await makeFolder()
  const file = path.join(folder, 'db.json')
  await writeFile(file, editorText(0))
  // An editor that empties the file first causes a warning at each save.
  const data = DataFile.open(file, { warn: () => {} })
  const editor = new Worker(path.join(__dirname, 'editor.cjs'))
  const result: SavesResult = { theirs: 0, ours: 0, errors: [] }
  try {
    let duration = 5
    for (let number = 1; number <= count; number += 1) {
      await data.refresh()
      const ours = { ...data.state, ours: [{ number, text: 'ours '.repeat(1000 * random()) }] }
      const ourText = JSON.stringify(ours, null, 2)
      const theirText = editorText(number)
      const saved = once(editor, 'message')
      const begin = performance.now()
      editor.postMessage({ file, text: theirText, delay: random() * duration, ...save })
      const refused = await data.commit(ours).then(
        () => false,
        () => true,
      )
      duration = performance.now() - begin
      await saved
      const left = await readFile(file, 'utf8')
      if (left === theirText) result.theirs += 1
      else if (left === ourText && !refused) result.ours += 1
      else result.errors.push(`Save ${number} left ${left.length} characters: ${left.slice(0, 50)}`)
      if (!(await serves(data, left)))
        result.errors.push(`Save ${number}: the server does not serve what the file holds.`)
    }
    const beside = (await readdir(folder)).filter((name) => name !== 'db.json')
    if (beside.length > 0) result.errors.push(`Left beside the file: ${beside.join(', ')}`)
  } finally {
    await editor.terminate()
    await data.close()
    await rm(folder, { recursive: true, force: true })
  }
  return result
}

async function serves(data: DataFile, text: string): Promise<boolean> {
  try {
    await data.refresh()
    return isDeepStrictEqual(data.state, JSON.parse(text))
  } catch {
    return false
  }
}

/** Another text, of another length, for each number. */
function editorText(number: number): string {
  return JSON.stringify({ theirs: [{ number, text: 'theirs '.repeat(1000 + (number % 500)) }] }, null, 2)
}
