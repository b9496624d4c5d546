import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleData, tempFolders } from '../support/data'
import { logInTo, send } from '../support/http'
import { killAll, Launched } from '../support/process'

const newFolder = tempFolders()
afterAll(killAll)

test('--sandboxes: a sandbox never touches the file, and has the data that was last loaded', async () => {
  const folder = await newFolder()
  const file = path.join(folder, 'db.json')
  const text = JSON.stringify(sampleData())
  await writeFile(file, text)
  const server = await Launched.listening({ folder, args: ['--sandboxes'] })
  const lab = await logInTo(server.url, 'lab')
  const created = await send(server.url, 'POST /blogs', { token: lab, body: { title: 'Mine' } })
  expect(created.status).toBe(201)
  expect(created.headers['x-sandbox']).toBe('lab')
  expect(await readFile(file, 'utf8')).toBe(text)

  const printed = server.stdout.length
  await writeFile(file, JSON.stringify({ ...sampleData(), blogs: [] }))
  await server.prints(/db\.json/, printed)
  expect((await send(server.url, 'GET /blogs/4', { token: lab })).status).toBe(200)
  const fresh = await logInTo(server.url, 'fresh')
  expect((await send(server.url, 'GET /blogs', { token: fresh })).text).toBe('{\n  "blogs": []\n}')
  await server.stop()
})
