import { existsSync } from 'node:fs'
import { LOGIN_PATH, USER_LOOKUP_PATH } from '../auth/access-policy'
import { ALL } from '../auth/allow-rules'
import { isJsonFile } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { formatDuration } from '../format-duration'
import { isLoopback } from '../http/loopback'
import { idsIn } from './data-warnings'
import type { Settings } from './flags/command-line'
import { flagNotes } from './flags/flags'
import { loginHelp } from './login-help'

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 *
 * @param port the TCP port that was bound
 */
export function banner(settings: Settings, state: Data, port: number): string {
  const { source, host, cert, allow } = settings
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const routes = resourceNames(state).map((name) => `  ${url}/${name}`)
  const restart =
    settings.secret === undefined
      ? 'or until this server stops (set JWT_SECRET to keep it)'
      : 'also after a restart'
  const access = allow.includes(ALL)
    ? [
        ['Everything is open: no request needs a token', ...routes],
        // On other addresses, a warning says who can reach it.
        isLoopback(host)
          ? ['Web pages can use it only from localhost, and other machines cannot reach it.']
          : [],
      ]
    : [
        ['Without a token', ...open(settings, state, url)],
        [
          'With a token, in the header Authorization: Bearer <access_token>',
          ...routes,
          `A token lasts ${formatDuration(settings.tokenLifetime)}, ${restart}.`,
        ],
        loginHelp(settings, state, url),
      ]
  const changes =
    !settings.inMemory && isJsonFile(source)
      ? `Changes are saved to ${source}.`
      : `Changes stay in memory: ${source} is never written.`
  return [
    [`json-server-bearer serves ${source} at ${url}`],
    flagNotes(settings, url),
    ...access,
    [
      settings.readOnly ? 'Read-only: changes are refused with 403.' : changes,
      'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.',
    ],
  ]
    .filter((section) => section.length > 0)
    .map((section) => `\n${section.join('\n')}\n`)
    .join('')
}

/** The routes that need no token. */
function open(
  { publicCollection, live, idProperty, static: folder, allow }: Settings,
  state: Data,
  url: string,
): string[] {
  const routes = [`POST ${LOGIN_PATH}`]
  const records = publicCollection && state[publicCollection]
  if (Array.isArray(records)) {
    const moment = live ? 'as it is now' : 'as loaded; with --live, as it is now'
    // Whoever knows json-server expects an array, and filters.
    routes.push(
      `GET /${publicCollection}  ({"${publicCollection}": [...]}, unfiltered, with a token too; ${moment})`,
    )
    const [id] = idsIn(records, idProperty)
    if (id !== undefined) routes.push(`GET /${publicCollection}/${encodeURIComponent(id)}`)
  }
  routes.push(`GET ${USER_LOOKUP_PATH}  (three sample users)`, ...allow)
  if (folder && existsSync(folder)) routes.push(`GET /<file>  (the files in ${folder})`)
  return routes.map((route) => route.replace(/^\w+ /, (method) => `  ${method.padEnd(5)}${url}`))
}
