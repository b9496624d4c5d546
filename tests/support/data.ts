import { type FileHandle, mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { copyOf } from '../../lib/data/copy-of'
import { MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { isObject } from '../../lib/is-record'

/** The data of the tests: two users, three blogs, a collection with string ids and a singular resource. */
export function sampleData(): Data {
  return {
    blogs: [
      { id: 1, title: 'One', body: 'First', post: '2026/01/01', userid: 1 },
      { id: 2, title: 'Two', body: 'Second', post: '2026/01/02', userid: 2 },
      { id: 3, title: 'Three', body: 'Third', post: '2026/01/03', userid: 1 },
    ],
    users: [
      { id: 1, name: 'Ada', email: 'ada@example.com', password: 'lovelace' },
      { id: 2, name: 'Grace', email: 'grace@example.com', password: 'hopper' },
    ],
    posts: [
      { id: 1, title: 'Hello', views: 100, author: { name: 'typicode' } },
      { id: 2, title: 'World', views: 200, author: { name: 'other' } },
    ],
    comments: [
      { id: 1, body: 'nice', postId: 1 },
      { id: 2, body: 'great', postId: 1 },
      { id: 3, body: 'meh', postId: 2 },
    ],
    tags: [{ id: 'a1b2', label: 'tea' }],
    profile: { name: 'typicode' },
  }
}

export const ADA = { email: 'ada@example.com', password: 'lovelace' }

/**
 * Data in memory. Code that changes a stored record by hand fails, but where the data is shared with such code.
 */
export function memoryData(data: Data, { isShared = false } = {}): MemoryData {
  const source = new MemoryData(frozen(copyOf(data)), { isOwn: true })
  if (isShared) source.share()
  return source
}

/** Freezes data with everything in it: whoever changes it fails. */
export function frozen<Value>(value: Value): Value {
  if (isObject(value)) for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

/** A process id above any that a system gives. */
export const NO_PROCESS = 2 ** 31 - 1

/** A new folder in the system's folder for temporary files. The caller removes it. */
export async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), 'json-server-bearer-')))
}

/** Fresh folders for the tests of a file, removed after all of them: until then, a process or a test may stand in one. */
export function tempFolders(): () => Promise<string> {
  afterAll(removeFolders)
  return async () => newFolder({})
}

/** The files of a project that uses most of json-server's flags. */
export function projectFiles(): Record<string, string> {
  return {
    'db.json': JSON.stringify({
      ...sampleData(),
      // Every record of these has two properties that could be its id.
      items: [{ id: 1, _id: 'k1', name: 'Item' }],
      pages: [{ id: 1, _id: 1, name: 'Page' }],
      ratings: [
        { id: 1, _id: 1, page_id: 1, stars: 5 },
        { id: 2, _id: 2, page_id: 2, stars: 1 },
      ],
      // Long enough to be compressed.
      words: [{ id: 1, _id: 1, text: 'tea '.repeat(1000) }],
    }),
    'rules.json': JSON.stringify({ '/api/*': '/$1', '/first-word': '/words?_limit=1' }),
    'hello.js': 'module.exports = (req, res, next) => { res.setHeader("X-Hello", "one"); next() }',
    'more.js': `module.exports = [
      (req, res, next) => { res.setHeader("X-Hello", res.getHeader("X-Hello") + ", two"); next() },
      (req, res, next) => { res.setHeader("X-Hello", res.getHeader("X-Hello") + ", three"); next() },
    ]`,
    'claims.ts': `import type { RequestHandler } from 'express'
      const claims: RequestHandler = (request, response, next) => {
        response.setHeader('X-Claims', JSON.stringify(request.auth ?? null))
        next()
      }
      export default claims`,
    'files/note.txt': 'A note.',
    'snaps/.keep': '',
  }
}

/** A fresh folder with these files. The caller removes it. */
export async function makeProject(files: Readonly<Record<string, string>> = projectFiles()): Promise<string> {
  const folder = await makeFolder()
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return folder
}

const folders: string[] = []
const HOME = process.cwd()

/** A fresh folder, which {@link removeFolders} removes. */
export async function newFolder(files?: Readonly<Record<string, string>>): Promise<string> {
  const folder = await makeProject(files)
  folders.push(folder)
  return folder
}

export async function removeFolders(): Promise<void> {
  // Windows removes no folder in which a process stands.
  process.chdir(HOME)
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}

/** The prototype of all file handles: a spy on it sees each sync, or makes one fail. */
export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(__filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
