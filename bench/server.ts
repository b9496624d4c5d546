import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isRecord } from '../lib/is-record'
import { dataFile } from './data'
import { HOST } from './load'
import { type Kind, LOGIN, type RequestSpec, type Target } from './rows'

const PROJECT = path.join(__dirname, '..')
const MODULES = path.join(PROJECT, 'node_modules')
const BUILT = path.join(PROJECT, 'dist/server.js')
const TS_NODE = path.join(MODULES, 'ts-node/dist/bin.js')
const ANNOUNCE = path.join(__dirname, 'announce.cjs')

const temporary = mkdtempSync(path.join(tmpdir(), 'json-server-bearer-bench-'))
const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) process.kill(pid, 'SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Makes the program as the package holds it: whoever takes it in place of json-server runs that. */
export function build(): void {
  execFileSync(process.execPath, [path.join(PROJECT, 'tools/build.mjs')], { stdio: 'inherit' })
}

let folders = 0

function newFolder(): string {
  folders += 1
  const folder = path.join(temporary, String(folders))
  mkdirSync(folder)
  return folder
}

/**
 * Fetches json-server 1.0 beta into a temporary folder: it asks for a newer Node than this project, so it is
 * no dependency.
 *
 * @returns whether it could be fetched
 */
export function fetchBeta(): boolean {
  try {
    const options = ['install', '--no-save', '--silent', '--prefix', temporary, 'json-server@1.0.0-beta.15']
    execFileSync('npm', options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A server in its own process, with its own data. */
export interface Server extends Target {
  readonly port: number
  /** Milliseconds from the start of the process to its first response. */
  readonly startUp: number
  readonly end: () => Promise<void>
  /** Seconds of processor time that the process has used. */
  readonly processorTime: () => Promise<number>
  /** The inode of the data file: each of the servers puts a new file in its place. */
  readonly inode: () => number
}

/** @throws Error with what it printed, when it ends before it listens */
export async function startServer(kind: Kind, size: number): Promise<Server> {
  const folder = newFolder()
  const file = path.join(folder, 'db.json')
  writeFileSync(file, dataFile(size))
  if (kind === 'bare Express') await saveResponses(folder, size)
  const start = performance.now()
  const child = spawn(process.execPath, ['-r', ANNOUNCE, ...commandOf(kind, folder)], {
    cwd: isOurs(kind) ? PROJECT : folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const { pid = 0 } = child
  running.add(pid)
  let errors = ''
  child.stderr?.on('data', (text: Buffer) => {
    errors += text
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(pid)
      resolve()
    })
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (address) => {
      if (isRecord(address) && typeof address.port === 'number') resolve(address.port)
    })
    ended.then(() => reject(new Error(`${kind} did not start.\n${errors}`)))
  })
  await ask(port, { path: '/blogs/1' })
  const startUp = performance.now() - start
  const end = () => {
    child.kill('SIGKILL')
    return ended
  }
  const processorTime = async () => {
    child.send('processor time')
    const [usage]: unknown[] = await once(child, 'message')
    return isRecord(usage) ? (Number(usage.user) + Number(usage.system)) / 1_000_000 : Number.NaN
  }
  const inode = () => statSync(file).ino
  const listTag = String((await ask(port, { method: 'HEAD', path: '/blogs' })).headers.get('etag'))
  const authorization = isOurs(kind) ? await logIn(kind, port) : {}
  return { kind, size, port, authorization, listTag, startUp, end, processorTime, inode }
}

/** The header with a token, for all requests that follow. */
async function logIn(kind: Kind, port: number): Promise<Target['authorization']> {
  const headers = { ...LOGIN.headers, ...(kind === 'ours in a sandbox' && { 'X-Sandbox': 'bench' }) }
  const token: unknown = await (await ask(port, { ...LOGIN, headers })).json()
  if (!isRecord(token)) return {}
  const authorization = { Authorization: `Bearer ${token.access_token}` }
  if (kind === 'ours in a sandbox')
    await ask(port, { method: 'POST', path: '/__sandbox/reset', headers: authorization })
  return authorization
}

/** With the token of a sandbox, each request is for that sandbox. */
function isOurs(kind: Kind): boolean {
  return kind === 'ours' || kind === 'ours in a sandbox'
}

function commandOf(kind: Kind, folder: string): string[] {
  const flags = [path.join(folder, 'db.json'), '--host', HOST, '--port', '0']
  switch (kind) {
    case 'ours':
      return [BUILT, ...flags, '--quiet']
    case 'ours in a sandbox':
      return [BUILT, ...flags, '--quiet', '--sandboxes']
    case 'json-server':
      return [path.join(MODULES, 'json-server/lib/cli/bin.js'), ...flags, '--quiet']
    case 'json-server 1.0 beta':
      return [path.join(temporary, 'node_modules/json-server/lib/bin.js'), ...flags]
    case 'bare Express':
      return [TS_NODE, path.join(__dirname, 'bare-express.ts'), folder]
  }
}

/** Saves what our server responds, for bare Express to send the same bytes. */
async function saveResponses(folder: string, size: number): Promise<void> {
  const ours = await startServer('ours', size)
  const { port, authorization: headers } = ours
  writeFileSync(path.join(folder, 'list.json'), await (await ask(port, { path: '/blogs' })).text())
  writeFileSync(path.join(folder, 'user.json'), await (await ask(port, { path: '/users/5', headers })).text())
  await ours.end()
}

/** Sends one request for whatever is not measured. */
export function ask(port: number, { path: target, headers, ...options }: RequestSpec): Promise<Response> {
  // Beside a conditional header, fetch would add a no-cache of its own.
  const all = { 'Cache-Control': 'max-age=0', ...headers }
  return fetch(`http://${HOST}:${port}${target}`, { ...options, headers: all })
}
