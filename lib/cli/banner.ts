import { existsSync } from 'node:fs'
import { LOGIN_PATH, USER_LOOKUP_PATH } from '../auth/access-policy'
import { ALL } from '../auth/allow-rules'
import { formatDuration } from '../auth/format-duration'
import { isJsonFile } from '../data/open-data'
import type { Data } from '../data/valid-data'
import { isLoopback } from '../http/loopback'
import { isRecord } from '../is-record'
import type { Settings } from './flags/command-line'
import { flagNotes } from './flags/read-flags'
import { loginHelp } from './login-help'

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 *
 * @param port the TCP port that was bound
 */
export function banner(settings: Settings, state: Data, port: number): string {
  const url = addressOf(settings, port)
  return [
    [`json-server-bearer serves ${settings.source} at ${url}`],
    flagNotes(settings, url),
    ...access(settings, state, url),
    notes(settings),
  ]
    .filter((section) => section.length > 0)
    .map((section) => `\n${section.join('\n')}\n`)
    .join('')
}

function addressOf({ host, cert }: Settings, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${cert === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** The routes, those that need no token first, and how to log in. */
function access(settings: Settings, state: Data, url: string): string[][] {
  const all = resources(settings, state, url)
  if (settings.allow.includes(ALL))
    return [
      ['Everything is open: no request needs a token', ...all],
      isLoopback(settings.host)
        ? ['Web pages can use it only from localhost, and other machines cannot reach it.']
        : ['Everybody who reaches it, and every web page that they open, can read and change everything.'],
    ]
  return [
    ['Without a token', ...open(settings, state, url)],
    ['With a token, in the header Authorization: Bearer <access_token>', ...all],
    loginHelp(settings, state, url),
  ]
}

/** The routes that need no token. */
function open(
  { publicCollection, live, idProperty, static: folder, allow }: Settings,
  state: Data,
  url: string,
): string[] {
  const lines = [`  POST ${url}${LOGIN_PATH}`]
  const records = publicCollection && state[publicCollection]
  if (Array.isArray(records)) {
    const moment = live ? 'as it is now' : 'as loaded; with --live, as it is now'
    // Whoever knows json-server expects an array, and filters.
    lines.push(
      `  GET  ${url}/${publicCollection}  ({"${publicCollection}": [...]}, without filters; ${moment})`,
    )
    const id = records
      .map((record) => isRecord(record) && record[idProperty])
      .find((value) => typeof value === 'string' || typeof value === 'number')
    if (id !== undefined) lines.push(`  GET  ${url}/${publicCollection}/${encodeURIComponent(id)}`)
  }
  lines.push(`  GET  ${url}${USER_LOOKUP_PATH}  (three sample users)`)
  for (const [method = '', path = ''] of allow.map((rule) => rule.split(' ')))
    lines.push(`  ${method.padEnd(4)} ${url}${path}`)
  if (folder !== undefined && existsSync(folder)) lines.push(`  GET  ${url}/<file>  (the files in ${folder})`)
  return lines
}

/** The collections and singular resources of the data. */
function resources({ source }: Settings, state: Data, url: string): string[] {
  const names = Object.keys(state).filter((name) => name !== '$schema')
  if (names.length === 0) return [`  nothing yet: add a collection to ${source}, for instance "posts": []`]
  return names.map((name) => `  ${url}/${name}`)
}

/** What happens to changes and to tokens, and which keys there are. */
function notes({ source, readOnly, inMemory, secret, tokenLifetime }: Settings): string[] {
  const changes =
    !inMemory && isJsonFile(source)
      ? `Changes are saved to ${source}.`
      : `Changes stay in memory: ${source} is never written.`
  const restart =
    secret === undefined ? 'or until this server stops (set JWT_SECRET to keep it)' : 'also after a restart'
  return [
    readOnly ? 'Read-only: changes are refused with 403.' : changes,
    `A token lasts ${formatDuration(tokenLifetime)}, ${restart}.`,
    'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.',
  ]
}
