import type { RequestListener } from 'node:http'
import type { DataSource } from '../data/data-source'
import { openSource, printable } from '../data/open-data'
import { type Listening, listen } from '../http/server/listen'
import type { Warn } from '../warn'
import { banner } from './banner'
import { explainError } from './explain-error'
import { readCommandLine, type Settings } from './flags/command-line'
import type { FlagOptions } from './flags/flags'
import { flagOptions } from './flags/read-flags'
import { Reloader } from './reloading'
import { takeSnapshotsOnKey } from './snapshots'
import { dropWhatCannotBeWritten } from './standard-streams'
import { tlsFiles } from './tls-files'
import { warnings } from './warnings'

/** Milliseconds that requests under way have to end when the server is stopped. */
const PATIENCE = 4000

/** What the command line hands to `createApp`. */
export interface StartOptions extends FlagOptions, Pick<Settings, 'secret'> {
  data: DataSource
  privateFiles: readonly string[]
  log: boolean
}

type CreateApp<Options> = (options: Options) => RequestListener

/**
 * Runs the server from the command line until SIGINT or SIGTERM. Ends the process with exit code 1 and one
 * sentence when it cannot start.
 *
 * @typeParam Options all options of `createApp`, none of them optional: the compiler then refuses a setting
 *   that is no option, which a function with optional ones would take
 */
export async function run<Options extends Record<keyof StartOptions, unknown>>(
  createApp: CreateApp<StartOptions> & CreateApp<Options>,
): Promise<void> {
  dropWhatCannotBeWritten()
  try {
    const settings = readCommandLine(process.argv.slice(2), process.env, warn)
    if (settings !== undefined) await start(settings, createApp)
  } catch (error) {
    console.error(explainError(error))
    process.exitCode = 1
  }
}

const warn: Warn = (sentence, cause) => {
  console.warn(`Warning: ${sentence}`, ...(cause === undefined ? [] : [cause]))
}

async function start(settings: Settings, createApp: CreateApp<StartOptions>): Promise<void> {
  const { source, config, cert, key, snapshots, quiet } = settings
  const print = quiet ? () => {} : console.log
  const reportReload = (file: string, error?: unknown): void => {
    if (error === undefined) print(`${file} was reloaded.`)
    else console.error(`${explainError(error)} The last good state stays in use.`)
  }
  const data = await openSource({ ...settings, warn })
  const reloader = new Reloader(warn, reportReload)
  const options = flagOptions(settings, reloader)
  // No static folder may give these out.
  const files = [source, config, cert, key, ...reloader.files]
  const privateFiles = files.filter((file) => file !== undefined)
  const app = createApp({ ...settings, ...options, data, privateFiles, log: !quiet })
  const listening = listen(app, { ...settings, tls: tlsFiles(settings) })
  // Before it listens: a signal may follow the first request at once.
  stopOnSignal(listening, data)
  const { port } = await listening
  const shown = { ...settings, source: printable(source) }
  print(banner(shown, data.state, port))
  for (const warning of warnings(shown, data.state)) warn(warning)
  data.on('reload', () => reportReload(source))
  data.on('unusable', (error) => reportReload(source, error))
  const report = { report: print, reportFailure: console.error }
  takeSnapshotsOnKey({ data, source, folder: snapshots, input: process.stdin, ...report })
}

function stopOnSignal(listening: Promise<Listening>, data: DataSource): void {
  let stopping = false
  const stop = async (): Promise<void> => {
    // A terminal may send a signal twice: to this process and through npx.
    if (stopping) return
    stopping = true
    // A start that fails reports that itself.
    const server = await listening.catch(() => undefined)
    await server?.close(PATIENCE)
    await data.close()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // A limit on the size of files would end the process; with a listener, Node reports it as a failed write.
  process.on('SIGXFSZ', () => {})
}
