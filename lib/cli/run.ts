import type { DataSource } from '../data/data-source'
import { openSource } from '../data/open-data'
import { printable } from '../data/source-address'
import { NO_RULES } from '../http/rewrite-rules'
import { type Listening, listen } from '../http/server/listen'
import { isRecord } from '../is-record'
import type { ServerOptions } from '../options/app-options'
import { styleFor } from '../style'
import type { Warn } from '../warn'
import { explainError } from './explain-error'
import { readCommandLine, type Settings } from './flags/command-line'
import { flagOptions } from './flags/flag-options'
import { takeSnapshotsOnKey } from './snapshots'
import { startText } from './start-text'
import type { MadeServer } from './started'
import { tlsFiles } from './user-files'
import { warnings } from './warnings'

/** Milliseconds that requests under way have to end when the server is stopped. */
const PATIENCE = 4000

type MakeServer = (options: ServerOptions) => MadeServer

/**
 * Runs the server from the command line until SIGINT or SIGTERM, or what Windows has in their place. Ends the
 * process with exit code 1 and one sentence when it cannot start.
 */
export async function run(makeServer: MakeServer): Promise<void> {
  // What a full disk or a closed pipe cannot take is dropped: an error without a listener ends the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    await start(readCommandLine(process.argv.slice(2), process.env, warn), makeServer)
  } catch (error) {
    complain(error)
    process.exitCode = 1
  }
}

const warn: Warn = (sentence, cause) => say(styleFor(process.stderr)('yellow', 'Warning:'), sentence, cause)

/** @param more what follows from it */
function complain(error: unknown, more = ''): void {
  const { cause }: { cause?: unknown } = isRecord(error) ? error : {}
  say(styleFor(process.stderr)('red', 'Error:'), explainError(error) + more, cause)
}

/** Prints a sentence, and below it the error that it is about, if its stack may help. */
function say(word: string, sentence: string, cause: unknown): void {
  console.error(`${word} ${sentence}`)
  if (cause !== undefined) console.error(cause)
}

async function start(settings: Settings, makeServer: MakeServer): Promise<void> {
  const { quiet, host, port: wanted } = settings
  const shown = { ...settings, source: printable(settings.source) }
  // A list of processes shows everybody the arguments, of which the address of a source may hold a password.
  if (shown.source !== settings.source) process.title = `json-server-bearer ${shown.source}`
  const print = quiet ? () => {} : console.log
  const reportReload = (file: string, error?: unknown): void => {
    if (error === undefined) print(`${file} was reloaded.`)
    else complain(error, ' The last good state stays in use.')
  }
  // Whatever is only read comes first: nothing has been opened where it cannot be used.
  const tls = tlsFiles(settings)
  const opened: { data?: DataSource } = {}
  const options = flagOptions(settings, warn, reportReload, () => opened.data?.state)
  const data = await openSource({ ...settings, warn })
  opened.data = data
  let listening: Promise<Listening> | undefined
  try {
    const { app, allowed, ...made } = makeServer({ ...options, data, log: !quiet })
    listening = listen(app, { host, port: wanted, tls })
    // The handlers are there before the server listens, because a signal may follow the first request at once.
    stopOnSignal(listening, data)
    const { port } = await listening
    const style = styleFor(process.stdout)
    const started = {
      settings: shown,
      state: data.state,
      ...made,
      allowed: allowed(),
      rules: options.routes?.() ?? NO_RULES,
      faults: options.faults?.() ?? [],
      schemas: options.schemas?.(),
    }
    print(startText(started, { port, style, canSave: data.canSave }))
    for (const warning of warnings(started)) warn(warning)
    data.on('unusable', (error) => reportReload(shown.source, error))
    data.on('reload', () => reportReload(shown.source))
    takeSnapshotsOnKey(data, settings, print)
  } catch (error) {
    // A server that still listens, or a database that is open, would keep the process from its end.
    await closeAll(listening, data)
    throw error
  }
}

/** Ends what listens, or begins to, and then the data, so that no change is acknowledged that is not stored. */
async function closeAll(listening: Promise<Listening> | undefined, data: DataSource): Promise<void> {
  // A start that fails reports that itself.
  const server = await listening?.catch(() => undefined)
  await server?.close(PATIENCE)
  await data.close()
}

function stopOnSignal(listening: Promise<Listening>, data: DataSource): void {
  // A second call waits for the same: a terminal may send a signal to this process and through npx.
  const stop = async (): Promise<void> => {
    await closeAll(listening, data)
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Windows has no SIGTERM: Ctrl+Break sends SIGBREAK there, and a window that is closed SIGHUP. Elsewhere a
  // listener to SIGHUP would end what nohup has started.
  if (process.platform === 'win32') for (const signal of ['SIGBREAK', 'SIGHUP']) process.on(signal, stop)
}
