import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { PAGE_PATH, USER_LOOKUP_PATH, WHO_AM_I_PATH } from '../auth/access-policy'
import { ALL, rulesOf } from '../auth/allow-rules'
import { sampleLogin } from '../auth/credentials'
import { isTaken, type Service } from '../auth/service'
import { isSaved } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { packageVersion } from '../files/package'
import { isLoopback } from '../http/loopback'
import { hasAddress } from '../json-server/addresses'
import type { Style } from '../style'
import type { Settings } from './flags/command-line'
import { loginCommands } from './login-commands'

/** How many names a list shows: more would push what comes first out of sight. */
const MOST_NAMES = 6

export interface StartTextOptions {
  /** The TCP port that was bound. */
  port: number
  /** The routes beside the resources. */
  services: readonly Service[]
  /** Whether a data file can be replaced; if not, a warning says so. Default: true. */
  canSave?: boolean
  style: Style
}

/**
 * What a person needs after the start: where the server is, how to log in and list, what is open, what happens
 * to changes. The rest is in the help, and on the page of `--docs`.
 */
export function startText(settings: Settings, state: Data, options: StartTextOptions): string {
  const { port, services, style, canSave = true } = options
  const { source, host, cert, docs, sandboxes, faults, delay } = settings
  const name = isEveryAddress(host) ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const paths = resourceNames(state)
    .filter(hasAddress)
    .map((resource) => protectedPath(resource, services))
  const isOpen = settings.allowed === ALL
  const sections = [
    [
      `${style('bold', `json-server-bearer ${packageVersion()}`)} serves ${source} at ${style('cyan', url)}`,
      ...(isEveryAddress(host) ? otherAddresses(url) : []),
    ],
    isOpen ? [] : loginLines(settings, state, { url, services, style }),
    [
      ...(isOpen ? openLines(settings, paths) : tokenLines(settings, state, paths, services)),
      docs && `Try it in a browser: ${style('cyan', url + PAGE_PATH)}`,
      sandboxes && 'Each value of the header X-Sandbox names a separate copy of the data.',
      faults !== undefined && `Requests fail by the rules in ${faults}.`,
      !!delay && `Resources are delayed by ${delay} ms.`,
      canSave && changesLine(settings, state),
      style('dim', 's and Enter saves a snapshot, Ctrl+C stops. --help shows all flags.'),
    ],
  ]
  return sections
    .map((lines) => lines.filter((line) => typeof line === 'string'))
    .filter((lines) => lines.length > 0)
    .map((lines) => `\n${lines.map((line) => `  ${line}\n`).join('')}`)
    .join('')
}

/** The path of a resource after the token check: there, one that a service has taken is at another path. */
function protectedPath(name: string, services: readonly Service[]): string {
  return isTaken(services, { path: `/${name}` }) ? `/${name}/` : `/${name}`
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Where a phone reaches a server that listens at every address of this machine. */
function otherAddresses(url: string): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `Other machines reach it at ${url.replace('localhost', address)}`)
}

/** How to log in and list; nothing if nobody can log in. */
function loginLines(
  settings: Settings,
  state: Data,
  { url, services, style }: { url: string; services: readonly Service[]; style: Style },
): string[] {
  const listed = resourceNames(state).find(
    (name) => name !== 'users' && Array.isArray(state[name]) && hasAddress(name),
  )
  const asked = url + protectedPath(listed ?? 'db', services)
  const commands = loginCommands(settings, state, { url, asked })
  if (commands === undefined) return []
  const secret = commands.password === undefined ? ', with the password in place of PASSWORD' : ''
  return [
    style('bold', `Log in as ${commands.name}${secret}, and list:`),
    ...commands.lines.map((line) => `  ${style('cyan', line)}`),
  ]
}

/** What there is if no request needs a token. A warning says it of a server that other machines reach. */
function openLines({ host, allowedHosts }: Settings, paths: readonly string[]): (string | false)[] {
  return [
    `Everything is open: ${inWords(paths)}`,
    isLoopback(host) &&
      !allowedHosts.includes(ALL) &&
      `Web pages can use it only from ${['localhost', ...allowedHosts].join(', ')}.`,
  ]
}

/** What needs a token, and what needs none. */
function tokenLines(
  { allowed, idProperty, static: folder }: Settings,
  state: Data,
  paths: readonly string[],
  services: readonly Service[],
): (string | false)[] {
  // The public reads are the last of these steps, and what people look for first.
  const open = services
    .filter((service) => service.isOpen)
    .reverse()
    .flatMap((service) => service.routes({ state, idProperty }))
    // Whoever has data of their own does not look for it.
    .filter(({ path }) => path !== USER_LOOKUP_PATH || sampleLogin(state.users) !== undefined)
  // The specified one is in the README; an application's own is what it looks for.
  const closed = services
    .filter((service) => !service.isOpen)
    .flatMap((service) => service.routes({ state, idProperty }))
    .map(({ path }) => path)
    .filter((path) => path !== WHO_AM_I_PATH)
  const files = folder && existsSync(folder) ? [`the files in ${folder}`] : []
  const routes = [...open, ...rulesOf(allowed)].map(({ method, path }) => `${method} ${path}`)
  return [
    paths.length + closed.length > 0 && `With a token: ${inWords([...closed, ...paths])}`,
    `Without:      ${[...routes, ...files].join(', ')}`,
  ]
}

/** The first names, and how many more there are. */
function inWords(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** What happens to changes, and where they do not show. */
function changesLine({ readOnly, inMemory, source, live, publicCollection }: Settings, state: Data): string {
  if (readOnly) return 'Read-only: changes are refused with 403.'
  const place =
    !inMemory && isSaved(source)
      ? `Changes are saved to ${source}`
      : `Changes stay in memory, not in ${source}`
  const isAsLoaded = publicCollection && !live && Array.isArray(state[publicCollection])
  return isAsLoaded ? `${place}; GET /${publicCollection} shows them with --live or a restart.` : `${place}.`
}
