import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sampleData, tempFolders } from '../support/data'
import { logInTo, send } from '../support/http'
import { killAll, Launched } from '../support/process'

const newFolder = tempFolders()
afterAll(killAll)

async function folderWith(faults: unknown) {
  const folder = await newFolder()
  await writeFile(path.join(folder, 'db.json'), JSON.stringify(sampleData()))
  const file = path.join(folder, 'faults.json')
  await writeFile(file, typeof faults === 'string' ? faults : JSON.stringify(faults))
  return { folder, file }
}

const ONCE = [{ path: '/blogs', status: 503, times: 1 }]

test('requests fail by the rules; saving the file restarts the counts, and an invalid file changes nothing', async () => {
  const { folder, file } = await folderWith(ONCE)
  await mkdir(path.join(folder, 'public'))
  const args = [
    '--host',
    '127.0.0.1',
    '--faults',
    'faults.json',
    '--sandboxes',
    '--static',
    '.',
    '--login',
    '/in',
  ]
  const server = await Launched.listening({ folder, args })
  const statuses = async () => [
    (await send(server.url, 'GET /blogs')).status,
    (await send(server.url, 'GET /blogs')).status,
  ]
  await logInTo(server.url, 'lab')
  expect((await send(server.url, 'GET /blogs', { sandbox: 'lab' })).status).toBe(200)
  expect(await statuses()).toEqual([503, 200])
  expect((await send(server.url, 'GET /faults.json')).status).toBe(401)

  await writeFile(file, JSON.stringify(ONCE, null, 2))
  await server.prints(/faults\.json was reloaded/)
  expect(await statuses()).toEqual([503, 200])

  for (const wrong of ['[{"path": ', '{}', '[{"path": "/blogs"}]', '[{"path": "/in", "status": 200}]']) {
    const said = server.stderr.length
    await writeFile(file, wrong)
    await server.warns(/faults\.json.*last good/, said)
    expect(await statuses()).toEqual([200, 200])
  }
  const said = server.stderr.length
  const printed = server.stdout.length
  await rm(file)
  await server.warns(/ENOENT.*last good/, said)
  await writeFile(file, JSON.stringify([{ path: '/blogs', status: 500 }]))
  await server.prints(/faults\.json was reloaded/, printed)
  expect(await statuses()).toEqual([500, 500])
  const reloads = server.stdout.length
  await writeFile(
    file,
    JSON.stringify([{ method: 'POST', path: '/checkout', status: 201, body: { orderId: 7 } }]),
  )
  await server.prints(/faults\.json was reloaded/, reloads)
  expect((await send(server.url, 'POST /checkout')).status).toBe(401)
  const token = await logInTo(server.url)
  expect(await send(server.url, 'POST /checkout', { token })).toMatchObject({
    status: 201,
    text: expect.stringContaining('orderId'),
  })
  await server.stop()
})

test.each([
  { faults: '[', says: /faults\.json .* line 1/ },
  {
    faults: {},
    says: /faults\.json .*array/,
  },
  { faults: [{ path: '/' }], says: /faults\.json cannot be used: Rule 1 needs a "status"/ },
])('$faults at the start: exit code 1 and a sentence', async ({ faults, says }) => {
  const { folder } = await folderWith(faults)
  const server = new Launched({ folder, args: ['--faults', 'faults.json'] })
  expect(await server.exited).toBe(1)
  expect(server.stderr).toMatch(says)
})

test('a file that is missing at the start: exit code 1 and a sentence', async () => {
  const { folder } = await folderWith([])
  const server = new Launched({ folder, args: ['--faults', 'none.json'] })
  expect(await server.exited).toBe(1)
  expect(server.stderr).toMatch('--faults: "none.json"')
})
