import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { isRecord } from '../../lib/is-record'
import { type Answer, ask, authorized, logIn } from './http'

export const ROOT = path.resolve(__dirname, '../..')
const SECRET = 'a secret that is long enough for HS256 to like it'

/** The program that `npx ts-node server.ts` runs. */
export const FROM_SOURCE = [path.join(ROOT, 'node_modules/ts-node/dist/bin.js'), path.join(ROOT, 'server.ts')]

/** The programs for `node`: json-server's own command line, and ours, compiled if jest has done that. */
export const PROGRAMS = {
  'json-server': [path.join(ROOT, 'node_modules/json-server/lib/cli/bin.js')],
  ours: process.env.COMPILED_SERVER === undefined ? FROM_SOURCE : [process.env.COMPILED_SERVER],
}

/** A script that runs our command line, for a package that stands for ours. */
export const RUNS_OURS = `#!/usr/bin/env node
process.argv.splice(1, 1, ...${JSON.stringify(PROGRAMS.ours)})
require('node:module').runMain()
`

export interface LaunchOptions {
  /** The Node that runs it. Default: the one that runs the tests. */
  node?: string
  /** The program for `node`. Default: ours. */
  program?: readonly string[]
  /** The working folder. */
  folder: string
  /** Default: one address, so that it starts to listen at one moment. */
  args?: readonly string[]
  /** Besides PATH, PORT (a free one) and JWT_SECRET; undefined leaves one out. */
  env?: Readonly<Record<string, string | undefined>>
  /** The largest file that the process can write, in blocks of 512 bytes; a disk that is full beyond it. */
  fileSizeLimit?: number
  /** An open file for its output. Default: {@link Launched.stdout} and {@link Launched.stderr}. */
  output?: number
}

interface Address {
  address: string
  family: string
  port: number
}

const running = new Set<ChildProcess>()
process.on('exit', killAll)
// A test that fails may leave one running, which would keep jest from ending. The kills use no jest.
if ('afterAll' in globalThis) afterAll(killAll)

/** Kills all processes of this module that are still running, and waits for their end: then their folders can be removed. */
export async function killAll(): Promise<void> {
  const alive = [...running].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  // A process that it has started in turn may keep its output open, so that it never closes.
  const ends = alive.map((child) => once(child, 'exit'))
  for (const child of alive) child.kill('SIGKILL')
  await Promise.all(ends)
}

/** A command line in a process of its own. */
export class Launched {
  stdout = ''
  stderr = ''
  /** All URLs at which it listens, or has listened. */
  readonly addresses: Address[] = []
  /** Whether the port that it wanted is taken. */
  isPortTaken = false
  /** The milliseconds of each timer that it has set. */
  readonly timers: number[] = []
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals | null>
  readonly #child: ChildProcess
  readonly #events = new EventEmitter()
  #ended = false

  /** Starts the process, without waiting for it to listen. */
  constructor(options: LaunchOptions) {
    const { folder, env, output = 'pipe' } = options
    const [command = '', ...args] = commandLine(options)
    this.#child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', JWT_SECRET: SECRET, ...env },
      stdio: ['pipe', output, output, 'ipc'],
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
      if (!isRecord(message)) return
      if (isAddress(message.address)) this.addresses.push(message.address)
      if (message.error === 'EADDRINUSE') this.isPortTaken = true
      if (typeof message.timer === 'number') this.timers.push(message.timer)
      this.#events.emit('news')
    })
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code, signal) => {
        running.delete(this.#child)
        this.#ended = true
        this.#events.emit('news')
        resolve(signal ?? code)
      })
    })
  }

  /** Starts a server and waits until it listens. */
  static async listening(options: LaunchOptions): Promise<Launched> {
    const server = new Launched(options)
    await server.listens()
    return server
  }

  /** The URL at which it listened last. */
  get url(): string {
    const last = this.addresses.at(-1)
    if (last === undefined) throw new Error(`It does not listen:\n${this.output}`)
    return `http://${last.address.includes(':') ? `[${last.address}]` : last.address}:${last.port}`
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Everything that it has printed. */
  get output(): string {
    return this.stdout + this.stderr
  }

  /** Waits until it has started to listen this many times. */
  async listens(times = 1): Promise<void> {
    await this.until(() => this.addresses.length >= times)
  }

  /** Waits until the condition is true; fails if the process ends first. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#ended) throw new Error(`It has ended:\n${this.output}`)
      await once(this.#events, 'news')
    }
  }

  /** Waits until it has printed something on the standard output, after this many characters. */
  async prints(pattern: RegExp, after = 0): Promise<void> {
    await this.until(() => pattern.test(this.stdout.slice(after)))
  }

  /** Waits until it has printed something on the standard error, after this many characters. */
  async warns(pattern: RegExp, after = 0): Promise<void> {
    await this.until(() => pattern.test(this.stderr.slice(after)))
  }

  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Stops reading its output, like a program that has ended. */
  stopReading(): void {
    this.#child.stdout?.destroy()
    this.#child.stderr?.destroy()
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    this.kill(signal)
    return this.exited
  }
}

function commandLine({
  node: executable = process.execPath,
  program = PROGRAMS.ours,
  args = ['--host', '127.0.0.1'],
  fileSizeLimit,
}: LaunchOptions): string[] {
  const node = [executable, '--require', path.join(__dirname, 'announce.cjs'), ...program, ...args]
  return fileSizeLimit === undefined
    ? node
    : ['/bin/sh', '-c', `ulimit -f ${fileSizeLimit}; exec "$@"`, 'sh', ...node]
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

/** A port that is free now, but may be taken a moment later. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => {
          if (address === null || typeof address === 'string') reject(new Error('No TCP port.'))
          else resolve(address.port)
        })
      })
  })
}
