import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import path from 'node:path'
import { isRecord } from '../../lib/is-record'
import { authorized, logIn } from './helpers'
import { type Answer, ask } from './requests'

export const ROOT = path.resolve(__dirname, '../..')
export const SECRET = 'a secret that is long enough for HS256 to like it'

/** What `node` runs: json-server's own command line, and ours. */
export const PROGRAMS = {
  'json-server': [path.join(ROOT, 'node_modules/json-server/lib/cli/bin.js')],
  ours: [path.join(ROOT, 'node_modules/.bin/ts-node'), path.join(ROOT, 'server.ts')],
}

export interface LaunchOptions {
  /** What `node` runs. Default: ours. */
  program?: readonly string[]
  /** The working folder. */
  folder: string
  /** Default: a free port. */
  args?: readonly string[]
  /** Beside PATH and, for ours, JWT_SECRET; undefined leaves one out. */
  env?: Readonly<Record<string, string | undefined>>
}

export interface Address {
  address: string
  family: string
  port: number
}

const running = new Set<ChildProcess>()
process.on('exit', killAll)

/** Ends whatever process of this module still runs, at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** A command line in a process of its own, in a folder of its own. */
export class Launched {
  stdout = ''
  stderr = ''
  /** Everywhere it listens, or has listened. */
  readonly addresses: Address[] = []
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  readonly #child: ChildProcess
  readonly #events = new EventEmitter()
  #ended = false

  constructor({ program = PROGRAMS.ours, folder, args = ['--port', '0'], env = {} }: LaunchOptions) {
    const announced = ['-r', path.join(__dirname, 'announce.cjs'), ...program, ...args]
    this.#child = spawn(process.execPath, announced, {
      cwd: folder,
      env: { PATH: process.env.PATH, JWT_SECRET: SECRET, ...env },
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    })
    running.add(this.#child)
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#events.emit('news')
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      this.#events.emit('news')
    })
    this.#child.on('message', (message) => {
      if (isAddress(message)) this.addresses.push(message)
      this.#events.emit('news')
    })
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code) => {
        running.delete(this.#child)
        this.#ended = true
        this.#events.emit('news')
        resolve(code)
      })
    })
  }

  /** Starts a server and waits until it listens. */
  static async listening(options: LaunchOptions): Promise<Launched> {
    const server = new Launched(options)
    await server.listens()
    return server
  }

  /** Where it listened last. */
  get url(): string {
    const last = this.addresses.at(-1)
    if (last === undefined) throw new Error(`It does not listen:\n${this.stdout}${this.stderr}`)
    return `http://${last.address.includes(':') ? `[${last.address}]` : last.address}:${last.port}`
  }

  /** Waits until it has begun to listen so many times. */
  async listens(times = 1): Promise<void> {
    await this.until(() => this.addresses.length >= times)
  }

  /** Waits until something that it does has made the condition true; fails when it ends before. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#ended) throw new Error(`It has ended:\n${this.stdout}${this.stderr}`)
      await once(this.#events, 'news')
    }
  }

  /** Waits until it has printed something on the standard output, after so many characters. */
  async prints(pattern: RegExp, after = 0): Promise<void> {
    await this.until(() => pattern.test(this.stdout.slice(after)))
  }

  /** Waits until it has printed something on the standard error, after so many characters. */
  async warns(pattern: RegExp, after = 0): Promise<void> {
    await this.until(() => pattern.test(this.stderr.slice(after)))
  }

  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.exited
  }
}

function isAddress(value: unknown): value is Address {
  return isRecord(value) && typeof value.address === 'string' && typeof value.port === 'number'
}

/** Sends one request, with a token where one is needed. */
export type Send = (
  line: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>

/** A client of a server: of ours with the token of the first user, of plain json-server with none. */
export async function client(server: Launched, program: keyof typeof PROGRAMS = 'ours'): Promise<Send> {
  const own =
    program === 'ours' ? authorized(await logIn(server.url)) : { 'Content-Type': 'application/json' }
  return (line, { body, headers } = {}) => {
    const [method = 'GET', target = '/'] = line.split(' ')
    return ask(server.url, {
      method,
      path: target,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
}
