import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { json } from '../../support/http'
import { failure, interceptFileCalls } from './file-calls'

/** How the data file is reached, and what somebody else does to it in the instant before it is replaced. */
export const SETTINGS = ['a file', 'a symbolic link', 'a file that an editor saves'] as const

interface SweepOptions {
  open: ReturnType<typeof testApps>['open']
  newFolder: () => Promise<string>
  setting: (typeof SETTINGS)[number]
  /** The code of the error that each call fails with. */
  code: string
}

/**
 * Sends a POST, then a DELETE, in which the first call to the file system fails; the same with the second
 * call, and so on, until a request has fewer calls. After each, the promises are held against what is there.
 *
 * @returns how many calls have failed
 */
export async function sweep({ open, newFolder, setting, code }: SweepOptions): Promise<number> {
  const folder = await newFolder()
  const file = path.join(folder, 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const source = setting === 'a symbolic link' ? path.join(await newFolder(), 'link.json') : file
  if (source !== file) await symlink(file, source)
  const app = await open(source)

  /** How many calls are left until one fails; none fails while it is negative. */
  let left = -1
  let editorText: string | undefined
  /** The temporary file that could not be removed: the next start removes it. */
  let remaining: string | undefined
  const restore = await interceptFileCalls(path.dirname(folder), (call, proceed) => {
    if (call.name === 'renameSync' && call.parameters[1] === file && editorText !== undefined) {
      writeFileSync(file, editorText)
      editorText = undefined
    }
    if (left > 0) left -= 1
    if (left !== 0) return proceed()
    left = -1
    if (call.name === 'unlink') remaining = String(call.parameters[0])
    // A system that reports a failure of this call has closed the file nevertheless.
    if (call.name.startsWith('close')) {
      const closed = proceed()
      if (closed instanceof Promise) return closed.then(() => Promise.reject(failure(code)))
    }
    throw failure(code)
  })

  let failed = 0
  try {
    for (let number = 1, isOver = false; !isOver; number += 1) {
      isOver = true
      for (const [method, target] of [
        ['POST', '/tags'],
        ['DELETE', `/tags/next-POST-${number}`],
      ] as const) {
        const id = `${method}-${number}`
        const theirs = JSON.stringify({ ...parsed(file), edited: [{ id }] })
        if (setting === 'a file that an editor saves') editorText = theirs
        const before = parsed(file)
        left = number
        const answer = await app.send(method, target, method === 'POST' ? { id } : undefined)
        if (left === -1) {
          failed += 1
          isOver = false
        }
        left = -1
        editorText = undefined
        const { error } = Object(json(answer))
        const isMade = answer.status < 300 || String(error).startsWith('The change was made')
        const saved = parsed(file)
        const outcome = [`call ${number}`, code, answer.status, error]
        expect([...outcome, await memory(app, setting)]).toEqual([...outcome, saved])
        if (isMade) expect([...outcome, ids(saved).includes(id)]).toEqual([...outcome, method === 'POST'])
        else {
          expect(answer.status).toBeGreaterThanOrEqual(500)
          expect([
            [...outcome, before],
            [...outcome, JSON.parse(theirs)],
          ]).toContainEqual([...outcome, saved])
        }
        // As a warning asks for: with a lock that could not be removed, the next change would wait a second.
        rmSync(`${file}.lock`, { force: true })
        const next = `next-${id}`
        expect([...outcome, (await app.send('POST', '/tags', { id: next })).status]).toEqual([
          ...outcome,
          201,
        ])
        expect(ids(parsed(file))).toContain(next)
        if (remaining !== undefined) rmSync(remaining, { force: true })
        remaining = undefined
        expect([...outcome, await readdir(folder)]).toEqual([...outcome, ['db.json']])
      }
    }
  } finally {
    restore()
  }
  return failed
}

/** What the server serves. What an editor has saved it may still have to read. */
async function memory(app: Awaited<ReturnType<SweepOptions['open']>>, setting: string): Promise<unknown> {
  if (setting === 'a file that an editor saves') app.data.refresh()
  return json(await app.send('GET', '/db'))
}

function parsed(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function ids({ tags }: Record<string, unknown>): unknown[] {
  return Array.isArray(tags) ? tags.map(({ id }) => id) : []
}
