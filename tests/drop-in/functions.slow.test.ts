import { readFileSync } from 'node:fs'
import path from 'node:path'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { client, killAll, Launched, PROGRAMS, ROOT } from '../support/process'

afterEach(killAll)
afterAll(removeFolders)

const page = readFileSync(path.join(ROOT, 'docs/deploying.md'), 'utf8')
const [, code = ''] = /```js\n(const \{ createApp.*?)```/s.exec(page) ?? []

it('lets `createApp` be a function of a host, whose instances each have data of their own', async () => {
  const folder = await newFolder({
    'db.json': JSON.stringify(sampleData()),
    'api/index.cjs': code,
    'serve.cjs': `require('node:http').createServer(require('./api/index.cjs')).listen(0, '127.0.0.1')`,
    'node_modules/json-server-bearer/index.js': `module.exports = require(${JSON.stringify(PROGRAMS.ours[0])})`,
  })
  const options = { folder, program: ['serve.cjs'], args: [] }
  for (const instance of await Promise.all([1, 2].map(() => Launched.listening(options)))) {
    const send = await client(instance)
    expect((await send('POST /tags', { body: { id: 'made' } })).status).toBe(201)
    expect((await send('GET /tags/made')).status).toBe(200)
  }
})
