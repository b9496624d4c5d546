import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { newFolder, removeFolders, sampleData } from '../../support/data'
import { json } from '../../support/http'
import { client, killAll, Launched } from '../../support/process'

afterEach(async () => {
  killAll()
  await removeFolders()
})

/**
 * A store of one server in a file, which holds the text and the receipts. Like a connection, it keeps the
 * process from ending until it is closed.
 */
const STORE = `const { readFileSync, writeFileSync } = require('node:fs')
  let connection
  const store = {
    begin: async () => {
      connection ??= setInterval(() => {}, 1000)
      return JSON.parse(readFileSync('kept.json', 'utf8'))
    },
    write: async (text, receipts) => writeFileSync('kept.json', JSON.stringify({ text, receipts })),
    release: async () => {},
    close: async () => clearInterval(connection),
  }
  `
const files = (exported: string) => ({
  'store.js': `${STORE}module.exports = ${exported}`,
  'kept.json': JSON.stringify({ text: JSON.stringify(sampleData()), receipts: '' }),
})

const keptOf = async (folder: string) => JSON.parse(await readFile(path.join(folder, 'kept.json'), 'utf8'))

describe('a file that exports a store', () => {
  it.each(['store', 'Promise.resolve(store)', '{ default: store }'])(
    'as %s is served and changed',
    async (exported) => {
      const folder = await newFolder(files(exported))
      const server = await Launched.listening({ folder, args: ['store.js', '--docs', '--port', '0'] })
      const send = await client(server)
      expect((await send('POST /posts', { body: { title: 'new' } })).status).toBe(201)
      const { text, receipts } = await keptOf(folder)
      expect(JSON.parse(text)).toEqual(json(await send('GET /db')))
      expect(JSON.parse(text).posts).toHaveLength(3)
      expect(Object.values(JSON.parse(receipts))).toEqual([1])
      expect(server.stdout).toContain('Changes are saved by store.js.')
      expect(server.stderr).toBe('')
      expect(await server.stop()).toBe(0)
    },
  )

  it('says what it cannot serve, and when that is mended by another text', async () => {
    const folder = await newFolder(files('store'))
    const server = await Launched.listening({ folder, args: ['store.js', '--port', '0'] })
    await server.prints(/Ctrl\+C to stop/)
    const send = await client(server)
    const keep = (text: string) =>
      writeFile(path.join(folder, 'kept.json'), JSON.stringify({ text, receipts: '' }))
    await keep('{"posts": 1}')
    expect((await send('DELETE /posts/1')).status).toBe(503)
    expect(server.stderr).toContain('Error: store.js has "posts", which is a number')
    await keep('{"posts": []}')
    await server.prints(/store\.js was reloaded\./)
    await keep('{"posts": [{"id": 7}]}')
    expect((await send('DELETE /posts/7')).status).toBe(200)
    expect(server.stdout.match(/was reloaded/g)).toHaveLength(1)
  })

  it('is only read with --in-memory', async () => {
    const folder = await newFolder(files('store'))
    const server = await Launched.listening({ folder, args: ['store.js', '--in-memory', '--port', '0'] })
    const send = await client(server)
    expect((await send('POST /posts', { body: { title: 'new' } })).status).toBe(201)
    expect((await keptOf(folder)).receipts).toBe('')
    expect(server.stdout).toContain('Changes stay in memory')
  })

  it.each([
    // Its own code has failed, so the stack shows where.
    ['Promise.reject(new Error("no luck"))', /^Error: \S*store\.js failed: no luck\.\nError: no luck\n +at /],
    ['{ begin() {} }', /^Error: \S*store\.js must export a function that returns the data, or a store\.\n$/],
    [
      '{ ...store, begin: async () => { throw new Error("no database") } }',
      /^Error: store\.js cannot be read: no database\.\n$/,
    ],
  ])('is refused in one sentence as %s', async (exported, sentence) => {
    const folder = await newFolder(files(exported))
    const server = new Launched({ folder, args: ['store.js', '--port', '0'] })
    expect(await server.exited).toBe(1)
    expect(server.stderr).toMatch(sentence)
  })

  it('ends with exit code 1 when its text cannot be served, or the server cannot listen', async () => {
    const folder = await newFolder(files('store'))
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String(Object(other.address()).port)
    const args = ['store.js', '--host', '127.0.0.1', '--port', port]
    const server = new Launched({ folder, args })
    expect(await server.exited).toBe(1)
    expect(server.stderr).toMatch(/port/)
    other.close()
    await writeFile(path.join(folder, 'kept.json'), JSON.stringify({ text: '{"posts": 1}', receipts: '' }))
    const refused = new Launched({ folder, args: ['store.js', '--port', '0'] })
    expect(await refused.exited).toBe(1)
    expect(refused.stderr).toContain('store.js has "posts", which is a number')
  })
})
