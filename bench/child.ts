import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit } from './cleanup'
import { exchange } from './exchange'

/** Milliseconds between two attempts to reach a server that is starting. */
const POLLING_INTERVAL = 5

/** Milliseconds in which a server must have started. */
const PATIENCE = 60_000

export interface Command {
  program: string
  arguments: readonly string[]
  /** The working folder. */
  folder: string
}

/** A server as a process of its own. It is ended with the benchmark at the latest. */
export class Child {
  readonly #command: Command
  readonly #process: ChildProcess
  readonly #forget: () => void
  #errors = ''

  constructor(command: Command) {
    this.#command = command
    this.#process = spawn(command.program, command.arguments, {
      cwd: command.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      // In a group of its own: npx starts further processes, and ending npx alone would leave them behind.
      detached: process.platform !== 'win32',
    })
    this.#process.stderr?.on('data', (text: Buffer) => {
      this.#errors += text
    })
    this.#process.once('error', (error) => {
      this.#errors += error.message
    })
    this.#forget = atExit(() => this.#kill())
  }

  /** Resident memory of the process in bytes. */
  get residentMemory(): number {
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(this.#process.pid)], { encoding: 'utf8' })
    return Number(kilobytes) * 1024
  }

  /**
   * Waits until a path is answered with 200.
   *
   * @throws Error with what the server printed, when it ends or does not answer in time
   */
  async answers(port: number, path: string): Promise<void> {
    const end = performance.now() + PATIENCE
    while (performance.now() < end && this.#isRunning) {
      const status = await exchange(port, { method: 'GET', path }).then(
        (answer) => answer.status,
        () => undefined,
      )
      if (status === 200) return
      await sleep(POLLING_INTERVAL)
    }
    const { program, arguments: words } = this.#command
    throw new Error(
      `A server did not start. Try its command by hand: ${[program, ...words].join(' ')}\n${this.#errors}`,
    )
  }

  async end(): Promise<void> {
    const ended = this.#isRunning ? once(this.#process, 'exit') : undefined
    this.#kill()
    await ended
    this.#forget()
  }

  get #isRunning(): boolean {
    return this.#process.pid !== undefined && this.#process.exitCode === null && !this.#process.signalCode
  }

  #kill(): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      // Not SIGTERM: the data is thrown away, so there is nothing to be saved. A negative number names the group.
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}
