import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newFolder, removeFolders, sampleData } from '../../support/data'
import { json } from '../../support/http'
import { client, killAll, Launched, type Send } from '../../support/process'

afterEach(async () => {
  await killAll()
  await removeFolders()
})

const GOOD = returning('{ marks: [{ id: 1, mark: "good" }] }')

/** A module whose function returns when there is a file named "go". */
const WAITING = `
  const { existsSync } = require('node:fs')
  const { setTimeout: sleep } = require('node:timers/promises')
  module.exports = async () => {
    console.log('The slow one was called.')
    while (!existsSync('go')) await sleep(5)
    console.log('The slow one returns.')
    return { ...${JSON.stringify(sampleData())}, marks: [{ id: 1, mark: 'slow' }] }
  }`

/** A module whose function returns the sample data, and what else an expression gives. */
function returning(expression: string): string {
  return `module.exports = async () => ({ ...${JSON.stringify(sampleData())}, ...${expression} })`
}

async function listen(files: Record<string, string>) {
  const folder = await newFolder(files)
  const server = await Launched.listening({ folder, args: ['data.js', '--port', '0'] })
  const send = await client(server)
  return { folder, server, send, save: (text: string) => writeFile(path.join(folder, 'data.js'), text) }
}

async function markOf(send: Send): Promise<unknown> {
  return json(await send('GET /marks/1'))
}

/** Modules whose functions return what json-server cannot serve, and what is said of it. */
const UNSERVABLE = [
  ['module.exports = () => new Map()', /a Map\./],
  ['module.exports = () => new (class Shop { list = [] })()', /a Shop\./],
  [returning('{ list: [{ id: 1n }] }'), /"list".*BigInt\./],
  ['const a = {}; a.a = a; module.exports = () => ({ list: [a] })', /"list".*circular/],
  ['module.exports = () => {}', /data\.js .*undefined\./],
  [
    'module.exports = () => { throw new Error("no luck") }',
    /data\.js failed: no luck\. .+\nError: no luck\n +at .+data\.js:1:/,
  ],
  ['\nmodule.exports = () => (', /data\.js failed: .*Unexpected token.*\n.+\n.+data\.js:2:/],
] as const

describe('data that a function makes', () => {
  it('stays as it was last good when the function changes and returns what cannot be served', async () => {
    const { server, send, save } = await listen({ 'data.js': GOOD })
    for (const [text, sentence] of UNSERVABLE) {
      const before = server.stderr.length
      await save(text)
      await server.warns(sentence, before)
      expect(await markOf(send)).toEqual({ id: 1, mark: 'good' })
    }
    const before = server.stdout.length
    await save(returning('{ marks: [{ id: 1, mark: "better" }] }'))
    await server.prints(/data\.js was reloaded/, before)
    expect(await markOf(send)).toEqual({ id: 1, mark: 'better' })
  })

  it('is refused at the start, in one sentence, when it cannot be served', async () => {
    const circle = 'const a = {}; a.a = a; module.exports = () => ({ list: [a] })'
    const folder = await newFolder({ 'data.js': circle })
    const server = new Launched({ folder, args: ['data.js', '--port', '0'] })
    expect(await server.exited).toBe(1)
    expect(server.stderr).toMatch(/^Error: .*data\.js .*"list"[^\n]+\n$/)
  })

  it('can hold values that are not JSON but can be turned into it', async () => {
    const { send } = await listen({ 'data.js': returning('{ days: [{ id: 1, day: new Date(0) }] }') })
    expect(json(await send('GET /days/1'))).toEqual({ id: 1, day: '1970-01-01T00:00:00.000Z' })
  })

  it('is that of the newest call, even if an older one ends later', async () => {
    const { folder, server, send, save } = await listen({ 'data.js': GOOD })
    await save(WAITING)
    await server.prints(/The slow one was called/)
    await save(returning('{ marks: [{ id: 1, mark: "new" }] }'))
    await server.prints(/data\.js was reloaded/)
    await writeFile(path.join(folder, 'go'), '')
    await server.prints(/The slow one returns/)
    expect(await markOf(send)).toEqual({ id: 1, mark: 'new' })
  })

  it('is made again when the file changes while its function is called for the start', async () => {
    const folder = await newFolder({ 'data.js': WAITING })
    const server = new Launched({ folder, args: ['data.js', '--port', '0'] })
    await server.prints(/The slow one was called/)
    await writeFile(path.join(folder, 'data.js'), returning('{ marks: [{ id: 1, mark: "new" }] }'))
    await writeFile(path.join(folder, 'go'), '')
    await server.prints(/data\.js was reloaded/)
    expect(await markOf(await client(server))).toEqual({ id: 1, mark: 'new' })
  })

  it('is made again when the file that a link leads to changes', async () => {
    const folder = await newFolder({ 'real.js': GOOD })
    await symlink('real.js', path.join(folder, 'data.js'))
    const server = await Launched.listening({ folder, args: ['data.js', '--port', '0'] })
    await writeFile(path.join(folder, 'real.js'), returning('{ marks: [{ id: 1, mark: "other" }] }'))
    await server.prints(/data\.js was reloaded/)
    expect(await markOf(await client(server))).toEqual({ id: 1, mark: 'other' })
  })
})
