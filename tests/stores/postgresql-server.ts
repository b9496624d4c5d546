import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where Debian puts the programs of each version. */
const VERSIONS = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, of the newest version; undefined where it is not installed. */
export function postgresqlPrograms(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const versions = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one))
  return versions
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((bin) => existsSync(`${bin}/initdb`))
}

/** PostgreSQL refuses to run as root: it then runs as the user whom Debian makes for it. */
function user(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres']))
  return { uid: id('-u'), gid: id('-g') }
}

/** A PostgreSQL of its own, with a folder and a user of its own, which listens on a socket in that folder. */
export class PostgresqlServer {
  readonly #bin: string
  readonly #folder: string
  readonly #user = user()

  /** @param folder that exists, and is removed by the caller */
  constructor(folder: string) {
    const bin = postgresqlPrograms()
    if (bin === undefined) throw new Error('PostgreSQL is not installed.')
    this.#bin = bin
    this.#folder = path.join(folder, 'postgresql')
    mkdirSync(this.#folder)
    if (this.#user !== undefined) {
      chownSync(this.#folder, this.#user.uid, this.#user.gid)
      // Its user must be able to enter the folder above as well.
      execFileSync('chmod', ['711', folder])
    }
  }

  /** The address of its socket, for a client or for a proxy. */
  get socket(): string {
    return path.join(this.#folder, '.s.PGSQL.5432')
  }

  /** @param folder of the socket: that of a proxy, for instance */
  urlOf(folder: string): string {
    return `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  }

  get url(): string {
    return this.urlOf(this.#folder)
  }

  async start(): Promise<void> {
    const data = path.join(this.#folder, 'data')
    if (!existsSync(data))
      await this.#run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
    const options = `-k ${this.#folder} -c listen_addresses= -c timezone=UTC -c log_timezone=UTC`
    await this.#control(['start', '-w', '-D', data, '-l', path.join(this.#folder, 'log'), '-o', options])
  }

  /** @param mode `immediate` ends it as a crash does */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.#control(['stop', '-w', '-m', mode, '-D', path.join(this.#folder, 'data')])
  }

  /** What a statement returns, as text. */
  async ask(statement: string): Promise<string> {
    const args = ['-h', this.#folder, '-U', 'postgres', '-Atc', statement]
    return (await this.#run('psql', args)).trim()
  }

  async #run(program: string, args: readonly string[]): Promise<string> {
    return (await run(path.join(this.#bin, program), args, { ...this.#user, cwd: this.#folder })).stdout
  }

  /** What it starts keeps the output open, so that nobody may wait for the end of that. */
  async #control(args: readonly string[]): Promise<void> {
    const options = { ...this.#user, cwd: this.#folder, stdio: 'ignore' } as const
    const child = spawn(path.join(this.#bin, 'pg_ctl'), args, options)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`pg_ctl ${args[0]} has failed: see ${this.#folder}/log.`)
  }
}
