import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { sampleData, tempFolders } from '../support/data'
import { ask, authorized, json, logIn } from '../support/http'
import { Launched } from '../support/process'

const newFolder = tempFolders()
/** What the sentence says. */
const IS_NO_FILE = /db\.json is not a file\b/

let sockets: Server[] = []
let launched: Launched | undefined
afterEach(async () => {
  await launched?.stop('SIGKILL')
  for (const socket of sockets.splice(0)) socket.close()
})

const kinds = {
  pipe: (file: string) => {
    execFileSync('mkfifo', [file])
  },
  socket: async (file: string) => {
    await new Promise<void>((resolve) => {
      sockets = [...sockets, createServer().listen(file, resolve)]
    })
  },
  folder: (file: string) => {
    mkdirSync(file)
  },
}
const names = ['pipe', 'socket', 'folder'] as const

async function folderWith(data?: unknown): Promise<string> {
  const folder = await newFolder()
  if (data !== undefined) writeFileSync(path.join(folder, 'db.json'), JSON.stringify(data))
  return folder
}

// A folder is served.
test.each(['pipe', 'socket'] as const)(
  'a %s in place of the data file, at the start -> exit code 1 and a sentence',
  async (kind) => {
    const folder = await folderWith()
    await kinds[kind](path.join(folder, 'db.json'))
    launched = new Launched({ folder })
    expect(await launched.exited).toBe(1)
    expect(launched.output).toMatch(/^Error: .+\n$/)
    expect(launched.output).toMatch(IS_NO_FILE)
  },
)

test.each(names)(
  'a %s in place of the data file, later -> reads as before, and 503 with a sentence',
  async (kind) => {
    const folder = await folderWith(sampleData())
    const file = path.join(folder, 'db.json')
    launched = await Launched.listening({ folder })
    const { url } = launched
    const headers = authorized(await logIn(url))
    rmSync(file)
    await kinds[kind](file)
    await launched.warns(IS_NO_FILE)
    expect((await ask(url, { path: '/tags', headers })).status).toBe(200)
    const refused = await ask(url, { method: 'POST', path: '/tags', headers, body: '{}' })
    expect(refused.status).toBe(503)
    expect(json(refused)).toEqual({ error: expect.stringMatching(IS_NO_FILE) })
    rmSync(file, { recursive: true })
    writeFileSync(file, JSON.stringify(sampleData()))
    expect((await ask(url, { method: 'POST', path: '/tags', headers, body: '{}' })).status).toBe(201)
    expect(await launched.stop()).toBe(0)
  },
)

test.each(
  (['socket', 'folder'] as const).flatMap((kind) =>
    ['routes.json', 'faults.json', 'stamp.js'].map((name) => ({ kind, name })),
  ),
)(
  'a $kind in place of $name, later -> a sentence, and the server goes on until there is a file again',
  async ({ kind, name }) => {
    const folder = await folderWith(sampleData())
    const texts: Record<string, string> = {
      'routes.json': '{}',
      'faults.json': '[]',
      'stamp.js': 'module.exports = []',
    }
    for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(folder, file), text)
    launched = await Launched.listening({ folder, args: ['--faults', 'faults.json', '-m', 'stamp.js'] })
    const file = path.join(folder, name)
    rmSync(file)
    await kinds[kind](file)
    await launched.warns(new RegExp(`${name} .*last good.*\\n`))
    expect((await ask(launched.url, { path: '/blogs' })).status).toBe(200)
    rmSync(file, { recursive: true })
    writeFileSync(file, texts[name] ?? '')
    await launched.prints(/was reloaded/)
    expect(await launched.stop()).toBe(0)
  },
)
