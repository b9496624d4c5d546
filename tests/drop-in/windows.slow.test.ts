import path from 'node:path'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { client, killAll, Launched, PROGRAMS } from '../support/process'

afterEach(killAll)
afterAll(removeFolders)

// A path with a space has a URL of another spelling, as every path of Windows has.
test('names the line where an ES module fails, by a path whose URL is spelt otherwise', async () => {
  const folder = await newFolder({ 'db.json': '{}', 'a b/wrong.mjs': '\nnull.field' })
  const server = new Launched({ folder, args: ['-m', 'a b/wrong.mjs'] })
  expect(await server.exited).toBe(1)
  expect(server.stderr).toContain(`(${path.join('a b', 'wrong.mjs')}:2)`)
})

test('ends in order when the window is closed, as Windows tells by SIGHUP', async () => {
  const folder = await newFolder({
    'db.json': JSON.stringify(sampleData()),
    'windows.cjs': `Object.defineProperty(process, 'platform', { value: 'win32' })`,
  })
  const program = ['-r', path.join(folder, 'windows.cjs'), ...PROGRAMS.ours]
  const server = await Launched.listening({ program, folder })
  expect((await (await client(server))('POST /tags', { body: { id: 'new' } })).status).toBe(201)
  expect(await server.stop('SIGHUP')).toBe(0)
})
