import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleData, tempFolders } from '../support/data'
import { authorized, logIn } from '../support/http'
import { testOfSignals } from '../support/platform'
import { FROM_SOURCE, killAll, Launched } from '../support/process'

const newFolder = tempFolders()
afterEach(killAll)

testOfSignals('npx ts-node server.ts serves, and SIGTERM ends it with every change in the file', async () => {
  const folder = await newFolder()
  const file = path.join(folder, 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const server = await Launched.listening({ program: FROM_SOURCE, folder })
  expect((await fetch(`${server.url}/blogs`)).status).toBe(200)
  expect((await fetch(`${server.url}/posts`)).status).toBe(401)
  const headers = authorized(await logIn(server.url))
  const created = await fetch(`${server.url}/posts`, { method: 'POST', headers, body: '{"title": "Kept"}' })
  expect(created.status).toBe(201)
  expect(await server.stop()).toBe(0)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    posts: expect.arrayContaining([{ id: 3, title: 'Kept' }]),
  })
  expect(await readdir(folder)).toEqual(['db.json'])
})
