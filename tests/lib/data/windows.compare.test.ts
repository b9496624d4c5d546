import fs, { readFileSync, writeFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { testApps } from '../../support/app'
import { sampleData, tempFolders } from '../../support/data'
import { json } from '../../support/http'
import { type FileCall, failure, interceptFileCalls } from './file-calls'

const newFolder = tempFolders()
const { open } = testApps()
const { platform } = process
const restore: (() => void)[] = []

/** Milliseconds for which a virus scanner has a file open after it was written. */
const SCAN = 200

beforeEach(() => Object.defineProperty(process, 'platform', { value: 'win32' }))

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  for (const end of restore.splice(0)) end()
})

/** Rules of a system: each may throw the error that the system has for a call, before the call is made. */
type Rule = (call: FileCall) => void

/**
 * Windows's rules: a folder cannot be opened, and a file that is open can neither be renamed, replaced nor
 * removed (rust-lang/rust#123985).
 */
function windows() {
  /** The inodes that this process has open: a hard link is the same file. */
  const opened: number[] = []
  const inode = (file: unknown): number => fs.statSync(String(file), { throwIfNoEntry: false })?.ino ?? 0
  const rule: Rule = ({ name, parameters }) => {
    const [from, to] = parameters
    if (name === 'open' && to === 'r' && fs.statSync(String(from)).isDirectory()) throw failure('EISDIR')
    if (name === 'renameSync' && (opened.includes(inode(from)) || opened.includes(inode(to))))
      throw failure('EPERM')
    if ((name === 'unlink' || name === 'rmSync') && opened.includes(inode(from))) throw failure('EBUSY')
  }
  /** Called after a call has succeeded. */
  function note({ name, parameters, file }: FileCall): void {
    if (name === 'open' || name === 'openSync') opened.push(inode(parameters[0]))
    if (name === 'close' || name === 'closeSync') opened.splice(opened.indexOf(inode(file)), 1)
  }
  return { rule, note }
}

/** Opens each file as soon as it was closed, and fails what is done to it meanwhile. */
function scanner(code: string) {
  const heldUntil = new Map<unknown, number>()
  const rule: Rule = ({ name, parameters }) => {
    if (!['renameSync', 'unlink', 'rmSync'].includes(name)) return
    if (parameters.some((file) => (heldUntil.get(file) ?? 0) > performance.now())) throw failure(code)
  }
  function note({ name, file }: FileCall): void {
    if (name === 'close' || name === 'closeSync') heldUntil.set(file, performance.now() + SCAN)
  }
  return { rule, note }
}

/** An application over a data file, on a system with these rules. */
async function openUnder(...systems: { rule: Rule; note?: (call: FileCall) => void }[]) {
  const folder = await newFolder()
  const file = path.join(folder, 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const app = await open(file)
  restore.push(
    await interceptFileCalls(folder, (call, proceed) => {
      for (const { rule } of systems) rule(call)
      const done = proceed()
      const note = <Result>(result: Result): Result => {
        for (const system of systems) system.note?.(call)
        return result
      }
      return done instanceof Promise ? done.then(note) : note(done)
    }),
  )
  return {
    ...app,
    file,
    saved: (): unknown => JSON.parse(readFileSync(file, 'utf8')),
    beside: async () => (await readdir(folder)).filter((name) => name !== 'db.json'),
  }
}

const HELD = expect.stringMatching(/not made, .*another program/)

/** A rule by which the data file cannot be replaced. */
function replacing(fails: (count: number) => string | undefined): { rule: Rule } {
  let count = 0
  return {
    rule({ name, parameters }) {
      if (name !== 'renameSync' || path.basename(String(parameters[1])) !== 'db.json') return
      count += 1
      const code = fails(count)
      if (code !== undefined) throw failure(code)
    },
  }
}

describe('by the rules of Windows, a data file', () => {
  it('is replaced while nothing of ours has it open', async () => {
    const app = await openUnder(windows())
    for (let number = 1; number <= 20; number += 1)
      expect((await app.send('POST', '/tags', { id: `tag-${number}` })).status).toBe(201)
    expect(json(await app.send('GET', '/db'))).toEqual(app.saved())
    expect(await app.beside()).toEqual([])
    expect(app.warn).not.toHaveBeenCalled()
  })

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'waits for a virus scanner that holds new files (%s)',
    async (code) => {
      const app = await openUnder(windows(), scanner(code))
      for (const id of ['one', 'two']) expect((await app.send('POST', '/tags', { id })).status).toBe(201)
      expect(app.saved()).toMatchObject({
        tags: [{ id: 'a1b2', label: 'tea' }, { id: 'one' }, { id: 'two' }],
      })
      expect(await app.beside()).toEqual([])
      expect(app.warn).not.toHaveBeenCalled()
    },
  )

  it.each(['EPERM', 'EACCES', 'EBUSY'])(
    'that another program keeps open is a 503 that says so (%s)',
    async (code) => {
      let isHeld = true
      const app = await openUnder(
        windows(),
        replacing(() => (isHeld ? code : undefined)),
      )
      const refused = await app.send('POST', '/tags', { id: 'lost' })
      expect([refused.status, refused.headers['retry-after'], json(refused)]).toEqual([
        503,
        '1',
        { error: HELD },
      ])
      expect(app.saved()).toEqual(sampleData())
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect(await app.beside()).toEqual([])
      isHeld = false
      expect((await app.send('POST', '/tags', { id: 'made' })).status).toBe(201)
      expect(json(await app.send('GET', '/db'))).toEqual(app.saved())
    },
  )

  it('is not replaced if somebody else saves it while the server waits for a scanner', async () => {
    const theirs = { ...sampleData(), tags: [{ id: 'theirs' }] }
    const app = await openUnder(
      windows(),
      replacing((count) => {
        if (count > 1) return undefined
        setImmediate(() => writeFileSync(app.file, JSON.stringify(theirs)))
        return 'EBUSY'
      }),
    )
    expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
    expect(app.saved()).toEqual(theirs)
    expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
    expect(app.saved()).toEqual({ ...theirs, tags: [{ id: 'theirs' }, { id: 'mine' }] })
    expect(await app.beside()).toEqual([])
  })

  it.each(
    ['EPERM', 'EACCES', 'EBUSY'].flatMap((code) => [
      ['waits for a lock whose removal is pending', 'openSync', '.lock', code] as const,
      ['waits for a program that has the replaced file open', 'unlink', '.saving-', code] as const,
    ]),
  )('%s (%s %s: %s)', async (_case, call, part, code) => {
    let attempts = 0
    const pending: { rule: Rule } = {
      rule({ name, parameters }) {
        if (name !== call || !String(parameters[0]).includes(part)) return
        attempts += 1
        if (attempts < 4) throw failure(code)
      },
    }
    const app = await openUnder(windows(), pending)
    expect((await app.send('POST', '/tags', { id: 'made' })).status).toBe(201)
    expect(attempts).toBe(4)
    expect(await app.beside()).toEqual([])
    expect(app.warn).not.toHaveBeenCalled()
  })

  // exFAT (nodejs/node#65817), ReFS (nodejs/node#11663), network shares.
  it.each(['EISDIR', 'ENOTSUP', 'EPERM', 'UNKNOWN'])('is replaced where a hard link is %s', async (code) => {
    const app = await openUnder(windows(), {
      rule({ name }) {
        if (name === 'linkSync') throw failure(code)
      },
    })
    for (const id of ['one', 'two']) expect((await app.send('POST', '/tags', { id })).status).toBe(201)
    expect(json(await app.send('GET', '/db'))).toEqual(app.saved())
    expect(await app.beside()).toEqual([])
  })
})
