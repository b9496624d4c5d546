import type { RequestListener } from 'node:http'
import type { RequestHandler } from 'express'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { DataError, type DataSource } from '../data/data-source'
import { openSource } from '../data/open-data'
import { errorCode } from '../error-code'
import { type Listening, listen } from '../http/listen'
import type { RewriteRules } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { banner } from './banner'
import { readCommandLine, type Settings } from './command-line'
import { Reloading } from './reloading'
import { UsageError } from './setting-values'
import { takeSnapshotsOnKey } from './snapshots'
import { loadMiddlewares, readRules } from './user-files'

/** Milliseconds that requests under way have to end when the server is stopped. */
const PATIENCE = 4000

/** The first user of the shipped `db.json`: a password that everybody can read there may be printed. */
const SAMPLE_LOGIN = { email: 'mia@example.com', password: 'sourdough' }

/** What the command line hands to `createApp`. */
export interface StartOptions extends Omit<Settings, 'routes' | 'middlewares'> {
  data: DataSource
  routes: () => RewriteRules
  middlewares: readonly RequestHandler[]
  log: boolean
}

type CreateApp = (options: StartOptions) => RequestListener

/**
 * Runs the server from the command line until SIGINT or SIGTERM. Ends the process with exit code 1 and one sentence
 * when it cannot start.
 */
export async function run(createApp: CreateApp): Promise<void> {
  try {
    const settings = readCommandLine(process.argv.slice(2), process.env)
    if (settings !== undefined) await start(settings, createApp)
  } catch (error) {
    console.error(sentence(error))
    process.exitCode = 1
  }
}

async function start(settings: Settings, createApp: CreateApp): Promise<void> {
  const { source, routes, middlewares, snapshots, quiet } = settings
  const print = quiet ? () => {} : console.log
  const reportReload = (file: string, error?: unknown): void => {
    if (error === undefined) print(`${file} has changed and was taken up.`)
    else console.error(`${sentence(error)} The last good state goes on.`)
  }
  const data = await openSource(settings)
  const rules = new Reloading({
    files: routes === undefined ? [] : [routes],
    load: () => (routes === undefined ? {} : readRules(routes)),
    report: reportReload,
  })
  const handlers = new Reloading({
    files: middlewares,
    load: () => loadMiddlewares(middlewares),
    report: reportReload,
  })
  const app = createApp({
    ...settings,
    data,
    routes: rules.current,
    middlewares: [(request, response, next) => handlers.current()(request, response, next)],
    log: !quiet,
  })
  const listening = await listen(app, settings)
  print(welcome({ ...settings, port: listening.port }, data))
  warn(settings, data)
  data.on('reload', () => reportReload(source))
  data.on('fault', (fault) => reportReload(source, fault))
  takeSnapshotsOnKey({ data, source, folder: snapshots, input: process.stdin, report: print })
  stopOnSignal(listening, data)
}

function welcome(
  { host, port, tls, source, secret, publicCollection, docs }: Settings,
  { state }: DataSource,
): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const { users } = state
  return banner({
    url: `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`,
    source,
    resources: Object.keys(state).filter((key) => key !== '$schema'),
    publicCollection:
      publicCollection && Array.isArray(state[publicCollection]) ? publicCollection : undefined,
    hasUsers:
      Array.isArray(users) && users.some((user) => isRecord(user) && typeof user.password === 'string'),
    docs,
    sampleLogin: Array.isArray(users) && users.some(isSampleUser) ? SAMPLE_LOGIN : undefined,
    hasSecret: secret !== undefined,
  })
}

function isSampleUser(user: unknown): boolean {
  return isRecord(user) && user.email === SAMPLE_LOGIN.email && user.password === SAMPLE_LOGIN.password
}

/** What a person should know even with `--quiet`. */
function warn({ source, secret, publicCollection }: Settings, data: DataSource): void {
  if (publicCollection && publicCollection !== 'blogs' && !Array.isArray(data.state[publicCollection])) {
    console.warn(`Warning: ${source} has no collection "${publicCollection}" that could be public.`)
  }
  if (!Array.isArray(data.state.users)) {
    console.warn(`Warning: ${source} has no array "users", so nobody can log in.`)
  }
  if (secret !== undefined && Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH) {
    console.warn(`Warning: JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed.`)
  }
}

function stopOnSignal(listening: Listening, data: DataSource): void {
  let stopping = false
  const stop = async (): Promise<void> => {
    // A terminal may send a signal twice, to us and through npx.
    if (stopping) return
    stopping = true
    await listening.close(PATIENCE)
    await data.close()
    process.exit(0)
  }
  // Not `once`: a second signal would then end the process in the middle of a write.
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // A limit on the size of files would end the process, but Node reports it as a failed write, too.
  process.on('SIGXFSZ', () => {})
}

/** One sentence for what kept the server from starting, or from taking up a change. */
function sentence(error: unknown): string {
  if (error instanceof UsageError || error instanceof DataError) return error.message
  const port = isRecord(error) ? error.port : ''
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program: stop that one, or choose another port, for instance --port 33001.`
    case 'EACCES':
      return `Port ${port} is not allowed to you: choose one above 1023, for instance --port 33001.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.'
    default:
      return `Something went wrong that nobody foresaw. ${error instanceof Error ? error.stack : error}`
  }
}
