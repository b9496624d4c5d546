import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const ROOT = path.resolve(__dirname, '../..')
const SECRET = 'a secret that is long enough for HS256 to like it'

/** How a process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface LaunchOptions {
  /** The working folder, with its `db.json`. */
  folder: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The largest file that the process can write, in blocks of 512 bytes; a disk that is full beyond it. */
  fileSizeLimit?: number
}

const running = new Set<ChildProcess>()
process.on('exit', killAll)

/** Ends whatever process of this module still runs, at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** `npx ts-node server.ts` in a folder of its own. */
export class ServerProcess {
  /** Everything that it has printed. */
  output = ''
  readonly exited: Promise<Exit>
  readonly #child: ChildProcess

  /** Starts the process, without waiting for it to listen. */
  constructor({ folder, args = [], env = {}, fileSizeLimit }: LaunchOptions) {
    const server = [path.join(ROOT, 'node_modules/.bin/ts-node'), path.join(ROOT, 'server.ts'), ...args]
    const [command = '', ...rest] =
      fileSizeLimit === undefined
        ? server
        : ['/bin/sh', '-c', `ulimit -f ${fileSizeLimit}; exec "$@"`, 'sh', ...server]
    this.#child = spawn(command, rest, {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', JWT_SECRET: SECRET, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(this.#child)
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (code, signal) => {
        running.delete(this.#child)
        resolve({ code, signal })
      })
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
  }

  /** Starts a server and waits until it prints where it listens. */
  static async listening(options: LaunchOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options)
    await server.printed(/ at http:\/\/localhost:\d+/)
    return server
  }

  /** Where it listens, as far as it has said so. */
  get url(): string {
    const [, port] = / at http:\/\/localhost:(\d+)/.exec(this.output) ?? []
    if (port === undefined) throw new Error(`The server has not said where it listens:\n${this.output}`)
    return `http://127.0.0.1:${port}`
  }

  /** Waits until it has printed something; fails when it ends before. */
  async printed(pattern: RegExp): Promise<void> {
    const ended = this.exited.then(() => true)
    while (!pattern.test(this.output)) {
      const { stdout, stderr } = this.#child
      if (stdout === null || stderr === null) throw new Error('The output is not piped.')
      const waiting = new AbortController()
      const more = [stdout, stderr].map((stream) =>
        once(stream, 'data', { signal: waiting.signal }).then(
          () => false,
          () => false,
        ),
      )
      const over = await Promise.race([...more, ended])
      waiting.abort()
      if (over && !pattern.test(this.output)) throw new Error(`The server ended:\n${this.output}`)
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.kill(signal)
    return this.exited
  }
}
