import { type FileHandle, open, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleData, tempFolders } from '../../support/data'
import { logIn } from '../../support/http'
import { killAll, Launched } from '../../support/process'

const newFolder = tempFolders()
afterEach(killAll)

async function newProject(): Promise<string> {
  const folder = await newFolder()
  await writeFile(path.join(folder, 'db.json'), JSON.stringify(sampleData()))
  // Each request that gets here prints on the standard error.
  await writeFile(path.join(folder, 'broken.js'), 'module.exports = () => { throw new Error("broken") }')
  return folder
}

const ARGS = ['--host', '127.0.0.1', '--middlewares', 'broken.js']

/** The statuses of requests that print on both streams. */
async function statuses(url: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${await logIn(url)}` }
  const found: number[] = []
  for (let round = 0; round < 3; round += 1) {
    for (const target of ['/blogs', '/posts']) {
      const answer = await fetch(url + target, { headers })
      await answer.text()
      found.push(answer.status)
    }
  }
  return found
}

const RESPONSES = [200, 500, 200, 500, 200, 500]

it('ends with 1, and listens no more, where the start fails after it has listened', async () => {
  const folder = await newProject()
  // A machine may refuse to say what addresses it has.
  const refusing = 'require("node:os").networkInterfaces = () => { throw new Error("no addresses") }'
  await writeFile(path.join(folder, 'refusing.cjs'), refusing)
  const env = { NODE_OPTIONS: '--require ./refusing.cjs' }
  const server = new Launched({ folder, args: ['--host', '0.0.0.0'], env })
  expect(await server.exited).toBe(1)
  expect(server.addresses).toHaveLength(1)
  expect(server.stderr).toMatch(/^Error: .*no addresses/)
})

it('starts with a login whose name no terminal and no form can show', async () => {
  const folder = await newProject()
  const user = ['\ud800:x', '\u001b[31mred:x']
  await writeFile(path.join(folder, 'json-server.json'), JSON.stringify({ user }))
  const server = await Launched.listening({ folder })
  await server.prints(/s and Enter/)
  for (const unshown of ['\ud800', '\u001b[31m']) expect(server.output).not.toContain(unshown)
  expect(server.stdout).toContain('Log in as ada@example.com')
  const body = JSON.stringify({ email: '\u001b[31mred', password: 'x' })
  const headers = { 'Content-Type': 'application/json' }
  expect((await fetch(`${server.url}/auth/login`, { method: 'POST', headers, body })).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

describe('what cannot be printed is dropped, and the responses go out', () => {
  it('when nobody reads the pipes any more', async () => {
    const server = await Launched.listening({ folder: await newProject(), args: ARGS })
    await server.prints(/s and Enter/)
    server.stopReading()
    expect(await statuses(server.url)).toEqual(RESPONSES)
    expect(await statuses(server.url)).toEqual(RESPONSES)
    expect(await server.stop()).toBe(0)
  })

  it('when nobody has ever read them', async () => {
    const server = new Launched({ folder: await newProject(), args: ARGS })
    server.stopReading()
    await server.listens()
    expect(await statuses(server.url)).toEqual(RESPONSES)
    expect(await server.stop()).toBe(0)
  })

  it('while the disk of the log is full, and lines are printed again once there is room', async () => {
    const folder = await newProject()
    const log = path.join(folder, 'server.log')
    const fileSizeLimit = 40
    // In its own mode of appending, so that the lines go to the new end of a file that somebody has emptied.
    const file: FileHandle = await open(log, 'a')
    const server = await Launched.listening({ folder, args: ARGS, fileSizeLimit, output: file.fd })
    await file.appendFile('x'.repeat(fileSizeLimit * 512))
    const full = await readFile(log, 'utf8')
    expect(await statuses(server.url)).toEqual(RESPONSES)
    expect(await readFile(log, 'utf8')).toBe(full)

    await truncate(log)
    expect(await statuses(server.url)).toEqual(RESPONSES)
    expect(await server.stop()).toBe(0)
    const lines = await readFile(log, 'utf8')
    expect(lines).toContain('GET /blogs')
    expect(lines).toContain('Error: broken')
    await file.close()
  })
})
