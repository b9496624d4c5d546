import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { ALL, rulesOf } from '../auth/allow-rules'
import type { ServedData, Service } from '../auth/service'
import { isSaved } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { packageVersion } from '../files/package'
import { formatDuration } from '../format-duration'
import { isLoopback } from '../http/loopback'
import { NO_RULES, type RewriteRules } from '../http/rewrite-rules'
import { hasAddress } from '../json-server/addresses'
import type { Style } from '../style'
import type { Settings } from './flags/command-line'
import { type Given, ROWS } from './flags/flags'
import { loginHelp } from './login-help'
import { drawRoutes, firstOf, protectedPath, type Route } from './route-lists'

export interface BannerOptions {
  /** The TCP port that was bound. */
  port: number
  /** Milliseconds that the start took. */
  startTime: number
  /** The routes beside the resources. */
  services: readonly Service[]
  /** Whether a data file can be replaced; if not, a warning says so. Default: true. */
  canSave?: boolean
  style: Style
  /** The rewrite rules. Default: none. */
  rules?: RewriteRules
}

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 */
export function banner(settings: Settings, state: Data, options: BannerOptions): string {
  const { port, startTime, style, rules = NO_RULES, canSave = true } = options
  const { source, host, cert, allowed } = settings
  const name = isEveryAddress(host) ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const ready = style('dim', `ready in ${Math.round(startTime)} ms`)
  const sections = [
    [
      `${style('bold', `json-server-bearer ${packageVersion()}`)} ${ready}`,
      `serves ${source} at ${style('cyan', url)}`,
    ],
    ...(allowed === ALL ? [allOpen(state, url, options)] : access(settings, state, url, options)),
    drawRules(settings, rules, style),
    drawLogin(settings, state, url, options),
    [
      ...whoReachesAll(settings),
      ...otherAddresses(settings, url),
      ...notes(settings, url),
      ...whatMiddlewaresSee(settings),
      ...(canSave ? [whereChangesGo(settings), ...whatListShows(settings, state)] : []),
    ],
    [style('dim', 'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.')],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `\n${lines.map((line) => `  ${line}\n`).join('')}`)
    .join('')
}

/** What there is where no request needs a token. */
function allOpen(state: Data, url: string, { services, style }: BannerOptions): string[] {
  return [
    `${style('bold', 'Everything is open:')} ${style('dim', 'no request needs a token')}`,
    ...drawRoutes(resources(state, services), url, style),
  ]
}

/** The sections that say what needs a token and what needs none. */
function access(
  settings: Settings,
  state: Data,
  url: string,
  { services, style }: BannerOptions,
): string[][] {
  const data = { state, idProperty: settings.idProperty }
  const closed = services
    .filter(({ isOpen }) => !isOpen)
    .flatMap((service) => service.routes(data))
    .map(({ path, note }) => ({ path, note }))
  return [
    [
      `${style('bold', 'With a token')} ${style('dim', 'in the header Authorization: Bearer <access_token>')}`,
      ...drawRoutes([...closed, ...resources(state, services)], url, style),
      style('dim', `  A token lasts ${lifetime(settings)}.`),
    ],
    [style('bold', 'Without a token'), ...drawRoutes(openRoutes(settings, services, data), url, style)],
  ]
}

/** The lines that log in, unless nobody can, or need not. */
function drawLogin(
  settings: Settings,
  state: Data,
  url: string,
  { services, style }: BannerOptions,
): string[] {
  const login = settings.allowed === ALL ? undefined : loginHelp(settings, state, url, { services })
  if (login === undefined) return []
  return [style('bold', login.heading), ...login.lines.map((line) => `  ${style('cyan', line)}`)]
}

/** The rewrite rules, as json-server lists them. */
function drawRules({ routes }: Settings, rules: RewriteRules, style: Style): string[] {
  const lines = Object.entries(rules).map(([from, to]) => `  ${from} -> ${to}`)
  return lines.length === 0 ? [] : [style('bold', `Rewrite rules from ${routes}`), ...firstOf(lines, style)]
}

/** Who can use a server that asks for no token; on other addresses, a warning says it. */
function whoReachesAll({ allowed, allowedHosts, host }: Settings): string[] {
  return allowed === ALL && isLoopback(host) && !allowedHosts.includes('all')
    ? [
        `Web pages can use it only from ${['localhost', ...allowedHosts].join(', ')}, and other machines cannot ` +
          'reach it.',
      ]
    : []
}

/** Where a phone reaches a server that listens at every address of this machine. */
function otherAddresses({ host }: Settings, url: string): string[] {
  if (!isEveryAddress(host)) return []
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `Other machines reach it at ${url.replace('localhost', address)}`)
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** What the table of flags says of the settings, a sentence for each. */
function notes(settings: Given, url: string): string[] {
  return ROWS.flatMap(({ setting, note }) => {
    const value = settings[setting]
    const sentence = value ? note?.(value, url) : undefined
    return sentence ? [sentence] : []
  })
}

/** Without this, `record.owner === req.auth?.email` is taken for safe, and is true where both are undefined. */
function whatMiddlewaresSee({ middlewares, allowed, signUp }: Settings): string[] {
  const flag = rulesOf(allowed).length > 0 ? '--allow' : signUp.length > 0 ? '--sign-up' : undefined
  return middlewares.length > 0 && flag !== undefined
    ? [`With ${flag}, middlewares see requests without a token: req.auth is undefined.`]
    : []
}

function whereChangesGo({ readOnly, inMemory, source }: Settings): string {
  if (readOnly) return 'Read-only: changes are refused with 403.'
  if (!inMemory && isSaved(source)) return `Changes are saved to ${source}.`
  return `Changes stay in memory: ${source} is never written.`
}

function whatListShows({ readOnly, live, publicCollection }: Settings, state: Data): string[] {
  const isAsLoaded = publicCollection && !live && !readOnly && Array.isArray(state[publicCollection])
  return isAsLoaded
    ? [`Without --live, the list at /${publicCollection} does not show them until a restart.`]
    : []
}

function lifetime({ secret, tokenLifetime }: Settings): string {
  const end =
    secret === undefined ? 'or until the server stops (unless JWT_SECRET is set)' : 'also after a restart'
  return `${formatDuration(tokenLifetime)}, ${end}`
}

/** The resources, but for those to which no address leads. */
function resources(state: Data, services: readonly Service[]): Route[] {
  const names = resourceNames(state).filter(hasAddress)
  return names.map((name) => {
    const resource = state[name]
    const size = !Array.isArray(resource)
      ? 'one object'
      : `${resource.length} ${resource.length === 1 ? 'record' : 'records'}`
    const path = protectedPath(name, services)
    return { path, note: path.endsWith('/') ? `${size}, as json-server's array` : size }
  })
}

/** The routes that need no token: those of the server, and then what the start was asked for. */
function openRoutes(
  { static: folder, allowed }: Settings,
  services: readonly Service[],
  data: ServedData,
): Route[] {
  const files =
    folder && existsSync(folder) ? [{ method: 'GET', path: '/<file>', note: `the files in ${folder}` }] : []
  // The public reads are the last step of these, and what people look for first.
  const open = services.filter(({ isOpen }) => isOpen).reverse()
  return [
    ...open.flatMap((service) => service.routes(data)),
    ...files,
    ...rulesOf(allowed).map(({ method, path }) => ({ method, path })),
  ]
}
