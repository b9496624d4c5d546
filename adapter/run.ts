import type { Express } from 'express'
import { isRecord } from '../middlewares/is-record'
import { RECOMMENDED_SECRET_LENGTH } from '../middlewares/signing-key'
import type { AppOptions } from '../server'
import { banner } from './banner'
import { readCommandLine, readJsonObject, type Settings, UsageError } from './command-line'
import { DataFile } from './data-file'
import { DataError, type DataSource } from './data-source'
import { type Listening, listen } from './listen'

/** Milliseconds that requests under way have to end when the server is stopped. */
const PATIENCE = 4000

/**
 * Runs the server from the command line until SIGINT or SIGTERM. Ends the process with exit code 1 and one sentence
 * when it cannot start.
 */
export async function run(createApp: (options: AppOptions) => Express): Promise<void> {
  try {
    const settings = readCommandLine(process.argv.slice(2), process.env)
    if (settings !== undefined) await start(settings, createApp)
  } catch (error) {
    console.error(startProblem(error))
    process.exitCode = 1
  }
}

async function start(settings: Settings, createApp: (options: AppOptions) => Express): Promise<void> {
  const data = new DataFile(settings.source)
  try {
    const app = createApp({ ...settings, data, routes: readRules(settings.routes), log: !settings.quiet })
    const listening = await listen(app, settings)
    if (!settings.quiet) report({ ...settings, port: listening.port }, data)
    warn(settings, data)
    stopOnSignal(listening, data)
  } catch (error) {
    await data.close()
    throw error
  }
}

function readRules(file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  const rules: Record<string, string> = {}
  for (const [from, to] of Object.entries(readJsonObject(file, 'file with the rewrite rules'))) {
    if (typeof to !== 'string')
      throw new UsageError(`In ${file}, the rule "${from}" must lead to a path, in quotes.`)
    rules[from] = to
  }
  return rules
}

function report({ source, host, port, secret }: Settings, { state }: DataSource): void {
  const { users, blogs } = state
  console.log(
    banner({
      url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      source,
      resources: Object.keys(state).filter((name) => name !== '$schema'),
      publicCollection: Array.isArray(blogs) ? 'blogs' : undefined,
      hasUsers:
        Array.isArray(users) && users.some((user) => isRecord(user) && typeof user.password === 'string'),
      hasSecret: secret !== undefined,
    }),
  )
}

/** What a person should know even with `--quiet`. */
function warn({ source, secret }: Settings, data: DataSource): void {
  if (!Array.isArray(data.state.users)) {
    console.warn(`Warning: ${source} has no collection "users", so nobody can log in.`)
  }
  if (secret !== undefined && Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH) {
    console.warn(`Warning: JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed.`)
  }
  data.on('fault', (fault) =>
    console.error(`${fault.message} The last good data is served, and nothing is saved.`),
  )
}

function stopOnSignal(listening: Listening, data: DataSource): void {
  const stop = async (): Promise<void> => {
    await listening.close(PATIENCE)
    await data.close()
    process.exit(0)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** One sentence for what kept the server from starting. */
function startProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UsageError || error instanceof DataError) return error.message
  const port = 'port' in error ? error.port : ''
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program: stop that one, or choose another port, for instance --port 33001.`
    case 'EACCES':
      return `Port ${port} is not allowed to you: choose one above 1023, for instance --port 33001.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.'
    default:
      return `The server could not start. ${error.stack}`
  }
}
