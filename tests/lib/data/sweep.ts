import { rmSync, writeFileSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { json } from '../../support/http'
import { KEPT, type Keep } from '../../support/kept-data'
import { failure, interceptFileCalls } from './file-calls'

/** How the data is reached, and what somebody else does to a file in the instant before it is replaced. */
const VISITS = ['', ', by a symbolic link', ', which an editor saves'] as const

/** Each kind of place, in each of these ways. */
export const SETTINGS = KEPT.flatMap(([kind, keep]) =>
  VISITS.map((visit) => ({ setting: `${kind}${visit}`, keep, visit })),
)

interface SweepOptions {
  open: ReturnType<typeof testApps>['open']
  newFolder: () => Promise<string>
  keep: Keep
  visit: (typeof VISITS)[number]
  /** The code of the error that each call fails with. */
  code: string
}

/** More than one change has calls. */
const MOST = 100

/**
 * Sends a POST, then a DELETE, then one that cascades, in which the first call to the file system fails; the same with
 * the second call, and so on, until a request has fewer calls. After each, the promises are held against what is there.
 *
 * @returns how many calls have failed
 */
export async function sweep({ open, newFolder, keep, visit, code }: SweepOptions): Promise<number> {
  const numbers = Array.from({ length: MOST }, (_item, index) => index)
  const parent = await newFolder()
  const kept = await keep(parent, {
    ...sampleData(),
    posts: numbers.map((id) => ({ id: `post-${id}` })),
    comments: numbers.map((id) => ({ id: `comment-${id}`, postId: `post-${id}` })),
  })
  const { folder, saved } = kept
  const isLinked = visit === ', by a symbolic link'
  const isEdited = visit === ', which an editor saves'
  const link = path.join(await newFolder(), path.basename(kept.source))
  if (isLinked) await symlink(kept.source, link)
  const app = await open(isLinked ? link : kept.source)

  /** How many calls are left until one fails; none fails while it is negative. */
  let left = -1
  let edit: { file: string; text: string } | undefined
  /** The temporary file that could not be removed: the next start removes it. */
  let remaining: string | undefined
  const restore = await interceptFileCalls(path.dirname(parent), (call, proceed) => {
    if (edit !== undefined && call.name === 'renameSync' && call.parameters[1] === edit.file) {
      writeFileSync(edit.file, edit.text)
      edit = undefined
    }
    if (left > 0) left -= 1
    if (left !== 0) return proceed()
    left = -1
    if (call.name.startsWith('unlink')) remaining = String(call.parameters[0])
    // A system that reports a failure of this call has closed the file nevertheless.
    if (call.name.startsWith('close')) {
      const closed = proceed()
      if (closed instanceof Promise) return closed.then(() => Promise.reject(failure(code)))
    }
    throw failure(code)
  })

  /** Sends a change in which a call fails, and tells whether one has. */
  async function fail(number: number, method: 'POST' | 'DELETE', target: string): Promise<boolean> {
    const id = path.basename(target === '/tags' ? `made-${number}` : target)
    const resource = target.split('/')[1] ?? ''
    const before = saved()
    const theirs = {
      ...before,
      [resource]: [...[before[resource]].flat(), { id: `edited-${method}-${number}` }],
    }
    if (isEdited) edit = kept.fileOf(resource, theirs)
    left = number
    const answer = await app.send(method, target, method === 'POST' ? { id } : undefined)
    const hasFailed = left === -1
    left = -1
    edit = undefined
    const { error } = Object(json(answer))
    // Where an editor and the disk come together, one of two files may stay, which the sentence says.
    const isPartly = isEdited && /^The change was made in .* alone/.test(String(error))
    const isMade = answer.status < 300 || /^The change was made, /.test(String(error))
    const outcome = [`call ${number}`, method, target, code, answer.status, error]
    // What an editor has saved the server may still have to read.
    if (isEdited) await app.data.refresh().catch(() => {})
    const found = saved()
    expect([...outcome, json(await app.send('GET', '/db'))]).toEqual([...outcome, found])
    if (isMade)
      expect([...outcome, ids(found, resource).includes(id)]).toEqual([...outcome, method === 'POST'])
    else if (!isPartly) {
      expect(answer.status).toBeGreaterThanOrEqual(500)
      expect([
        [...outcome, before],
        [...outcome, theirs],
      ]).toContainEqual([...outcome, found])
    }
    if (isMade && target.startsWith('/posts'))
      expect([...outcome, JSON.stringify(found.comments).includes(`"${id}"`)]).toEqual([...outcome, false])
    // As a warning asks for: with a lock that could not be removed, the next change would wait a second.
    for (const name of await readdir(folder)) if (name.endsWith('.lock')) rmSync(path.join(folder, name))
    const next = `next-${method}-${number}${target.startsWith('/posts') ? '-cascade' : ''}`
    expect([...outcome, (await app.send('POST', '/tags', { id: next })).status]).toEqual([...outcome, 201])
    expect(ids(saved(), 'tags')).toContain(next)
    if (remaining !== undefined) rmSync(remaining, { force: true })
    remaining = undefined
    expect([...outcome, (await readdir(folder)).sort()]).toEqual([...outcome, kept.names])
    return hasFailed
  }

  let failed = 0
  try {
    for (let number = 1, isOver = false; !isOver; number += 1) {
      isOver = true
      for (const [method, target] of [
        ['POST', '/tags'],
        ['DELETE', `/tags/next-POST-${number}`],
        ['DELETE', `/posts/post-${number}`],
      ] as const) {
        if (!(await fail(number, method, target))) continue
        failed += 1
        isOver = false
      }
    }
  } finally {
    restore()
  }
  return failed
}

function ids(data: Record<string, unknown>, resource: string): unknown[] {
  return [data[resource]].flat().map((record) => Object(record).id)
}
