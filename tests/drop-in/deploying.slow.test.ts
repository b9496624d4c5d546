import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { version } from '../../package.json'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, authorized, json, logIn } from '../support/http'
import { client, killAll, Launched, PROGRAMS, RUNS_OURS } from '../support/process'
import { blocks, commandIn, data, partsOf } from './recipe-page'

const run = promisify(execFile)

const MIA = { email: 'mia@example.com', password: 'sourdough' }

const sections = partsOf('docs/deploying.md')

/** A section of docs/deploying.md, by its heading. */
function sectionOf(heading: string): string {
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? ''
}

/** Starts the server by the command line of a section, and with more flags. */
async function launch(heading: string, more: readonly string[] = []): Promise<Launched> {
  const { args, env } = commandIn(sectionOf(heading))
  const folder = await newFolder({ 'db.json': data })
  return Launched.listening({ folder, env, args: [...args, ...more, '--port', '0'] })
}

afterEach(killAll)
afterAll(removeFolders)

test('for everybody to read: posts are open, users are not, and nothing changes', async () => {
  const { url } = await launch('For everybody to read', ['--host', '127.0.0.1'])
  const { posts } = JSON.parse(data)
  expect(json(await ask(url, { path: '/posts' }))).toEqual(posts)
  expect(json(await ask(url, { path: '/posts/2' }))).toEqual(posts[1])
  for (const [method, target] of [
    ['GET', '/users'],
    ['GET', '/posts?_expand=user'],
    ['POST', '/posts'],
  ] as const)
    expect([target, (await ask(url, { method, path: target })).status]).toEqual([target, 401])
  const headers = authorized(await logIn(url, MIA))
  expect((await ask(url, { method: 'POST', path: '/posts', headers, body: '{}' })).status).toBe(403)
})

test('from another machine, by any name; with --allow all only beside --allow-host or --host', async () => {
  const { args } = commandIn(sectionOf('From a phone or another machine'))
  expect(args).toEqual(['db.json', '--host', '0.0.0.0'])
  for (const [more, status] of [
    [['--host', '0.0.0.0'], 401],
    [[], 401],
    [['--allow', 'all'], 403],
    [['--allow', 'all', '--allow-host', '.github.dev'], 200],
    [['--allow', 'all', '--host', '0.0.0.0'], 200],
  ] as const) {
    const folder = await newFolder({ 'db.json': data })
    const server = await Launched.listening({ folder, args: ['db.json', '--port', '0', ...more] })
    const url = `http://127.0.0.1:${new URL(server.url).port}`
    const answer = await ask(url, { path: '/posts', headers: { Host: 'name-33000.app.github.dev' } })
    expect([more, answer.status]).toEqual([more, status])
    if (status === 403) expect(answer.text).toContain('--allow-host')
    await server.stop()
  }
})

test('`createApp` is a function of a host, whose instances each have data of their own', async () => {
  const [code = ''] = blocks(sectionOf('Serverless functions'), 'js')
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

/** The value of an instruction in the Dockerfile: the first word of a line, and the rest. */
function instruction(name: string): string {
  const [file = ''] = blocks(sectionOf('In a container'), 'dockerfile')
  const [, value] = new RegExp(`^${name} (.*)$`, 'm').exec(file) ?? []
  if (value === undefined) throw new Error(`The Dockerfile has no ${name} any more.`)
  return value
}

/** The words of an instruction that runs a program. */
function programOf(name: string): string[] {
  const [words = '[]'] = /\[.*\]/.exec(instruction(name)) ?? []
  return JSON.parse(words)
}

/** Makes the folders /mock and /data of the image, and gives the arguments for node that start the server. */
async function makeImage(): Promise<{ folder: string; args: string[] }> {
  const packed = instruction('COPY').replace(/ \.$/, '')
  const manifest = { name: 'json-server-bearer', version, bin: 'bin.js' }
  const folder = await newFolder({
    'data/db.json': data,
    'package/package.json': JSON.stringify(manifest),
    'package/bin.js': RUNS_OURS,
    'mock/.keep': '',
  })
  await run('npm', ['pack', '../package'], { cwd: path.join(folder, 'mock') })
  expect(existsSync(path.join(folder, 'mock', packed))).toBe(true)
  const [npm = '', ...words] = instruction('RUN').split(' ')
  await run(npm, [...words, '--no-audit', '--no-fund'], { cwd: path.join(folder, 'mock') })
  const [node, ...args] = programOf('CMD').map((word) => word.replace(/^\/mock\b/, path.join(folder, 'mock')))
  expect(node).toBe('node')
  return { folder, args }
}

/** The exit code of the health check for a server at this port. */
function health(port: string): Promise<unknown> {
  const [node, ...args] = programOf('HEALTHCHECK')
  expect(node).toBe('node')
  const asked = args.map((word) => word.replace('33000', port))
  return run(process.execPath, asked).then(
    () => 0,
    ({ code }) => code,
  )
}

test('the lines of the Dockerfile: what it runs, its health check and the signal that ends it', async () => {
  const { folder, args } = await makeImage()
  const [, options] = instruction('ENV').split('NODE_OPTIONS=')
  const heap = await run(process.execPath, ['-p', 'v8.getHeapStatistics().heap_size_limit / 2 ** 20'], {
    env: { ...process.env, NODE_OPTIONS: options },
  })
  const [, limit] = /Give it (\d+) MB/.exec(sectionOf('In a container')) ?? []
  // Besides the texts that are held outside of the heap.
  expect(Number(heap.stdout) * 2).toBeLessThan(Number(limit))

  const server = await Launched.listening({
    folder: path.join(folder, 'data'),
    program: args,
    args: [],
    env: { NODE_OPTIONS: options },
  })
  expect(
    (await ask(server.url, { path: '/posts', headers: authorized(await logIn(server.url, MIA)) })).status,
  ).toBe(200)
  const { port } = new URL(server.url)
  expect(await health(port)).toBe(0)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(await health(port)).toBe(1)
})

/** As the first process, where only /data can be written, as in a container whose system is read-only. */
const ISOLATED = `mount --make-rprivate / &&
mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" &&
mount --bind "$0/data" "$0/data" && mount -o remount,bind,rw "$0/data" &&
mount -o remount,bind,ro / &&
! touch "$0/mock/new" 2>&1 && cd "$0/data" && exec "$@"`
const UNSHARE = ['--mount', '--pid', '--fork', '--mount-proc']

// It needs Linux, and the right to make namespaces.
const canIsolate = spawnSync('unshare', [...UNSHARE, 'true']).status === 0
const testIsolated = canIsolate ? test : test.skip

testIsolated('in a read-only system, as process 1: changes are saved, and SIGTERM ends it', async () => {
  const { folder, args } = await makeImage()
  const node = [process.execPath, ...args, '--port', '0']
  const unshared = spawn('unshare', [...UNSHARE, 'sh', '-c', ISOLATED, folder, ...node], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let printed = ''
    let url: string | undefined
    for await (const text of unshared.stdout.setEncoding('utf8')) {
      printed += text
      url = / at (http:\S+)\n/.exec(printed)?.[1]
      if (url !== undefined) break
    }
    if (url === undefined) throw new Error(printed)
    const headers = authorized(await logIn(url, MIA))
    expect((await ask(url, { method: 'POST', path: '/posts', headers, body: '{}' })).status).toBe(201)
    expect(JSON.parse(await readFile(path.join(folder, 'data/db.json'), 'utf8')).posts).toHaveLength(3)
    const tasks = `/proc/${unshared.pid}/task/${unshared.pid}/children`
    const first = Number(readFileSync(tasks, 'utf8'))
    expect(readFileSync(`/proc/${first}/status`, 'utf8')).toMatch(/^NSpid:.*\t1$/m)
    process.kill(first, 'SIGTERM')
    expect(await once(unshared, 'close')).toEqual([0, null])
  } finally {
    unshared.kill('SIGKILL')
  }
})
