import path from 'node:path'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { client, killAll, Launched, PROGRAMS } from '../support/process'

afterEach(killAll)
afterAll(removeFolders)

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
