import { existsSync } from 'node:fs'
import { ALL } from '../auth/allow-rules'
import { isTaken, type ServedData, type Service, type ServiceRoute } from '../auth/service'
import { isJsonFile } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { packageVersion } from '../files/package'
import { formatDuration } from '../format-duration'
import { isLoopback } from '../http/loopback'
import { hasAddress } from '../json-server/has-address'
import type { Style } from '../style'
import type { Settings } from './flags/command-line'
import { type Given, ROWS } from './flags/flags'
import { loginHelp } from './login-help'

export interface BannerOptions {
  /** The TCP port that was bound. */
  port: number
  /** Milliseconds that the start took. */
  startTime: number
  /** The routes beside the resources. */
  services: readonly Service[]
  style: Style
}

/** A line of a list. */
interface Route extends Partial<Omit<ServiceRoute, 'path'>> {
  url: string
}

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 */
export function banner(settings: Settings, state: Data, options: BannerOptions): string {
  const { port, startTime, style } = options
  const { source, host, cert } = settings
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const ready = style('dim', `ready in ${Math.round(startTime)} ms`)
  return [
    [
      `${style('bold', `json-server-bearer ${packageVersion()}`)} ${ready}`,
      `serves ${source} at ${style('cyan', url)}`,
    ],
    ...access(settings, state, url, options),
    [...notes(settings, url).map((note) => colourAddress(note, style)), whatChangesDo(settings)],
    [style('dim', 'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.')],
  ]
    .map((section) => `\n${section.map((line) => `  ${line}\n`).join('')}`)
    .join('')
}

/** The sections that say what needs a token, what needs none, and how to get one. */
function access(
  settings: Settings,
  state: Data,
  url: string,
  { services, style }: BannerOptions,
): string[][] {
  const data = { state, idProperty: settings.idProperty }
  if (settings.allow.includes(ALL)) {
    const openServices = services.filter(({ isOpen }) => isOpen)
    const open = [
      `${style('bold', 'Everything is open:')} ${style('dim', 'no request needs a token')}`,
      ...drawRoutes(resources(state, openServices, url, data), style),
    ]
    // On other addresses, a warning says who can reach it.
    return isLoopback(settings.host)
      ? [open, ['Web pages can use it only from localhost, and other machines cannot reach it.']]
      : [open]
  }
  const header = style('dim', 'in the header Authorization: Bearer <access_token>')
  const sections = [
    [
      `${style('bold', 'With a token')} ${header}`,
      ...drawRoutes(resources(state, services, url, data), style),
      style('dim', `  A token lasts ${lifetime(settings)}.`),
    ],
    [style('bold', 'Without a token'), ...drawRoutes(openRoutes(settings, services, url, data), style)],
  ]
  const login = loginHelp(settings, state, url)
  if (login !== undefined) sections.push([style('bold', login.heading), `  ${style('cyan', login.command)}`])
  return sections
}

/** What the table of flags says of the settings, a sentence for each. */
function notes(settings: Given, url: string): string[] {
  return ROWS.flatMap(({ setting, note, hint }) => {
    const value = settings[setting]
    return (value ? note?.(value, url) : hint) || []
  })
}

function colourAddress(sentence: string, style: Style): string {
  return sentence.replace(/https?:\S+/, (address) => style('cyan', address))
}

function whatChangesDo({ readOnly, inMemory, source }: Settings): string {
  if (readOnly) return 'Read-only: changes are refused with 403.'
  if (!inMemory && isJsonFile(source)) return `Changes are saved to ${source}.`
  return `Changes stay in memory: ${source} is never written.`
}

function lifetime({ secret, tokenLifetime }: Settings): string {
  const end =
    secret === undefined ? 'or until this server stops (set JWT_SECRET to keep it)' : 'also after a restart'
  return `${formatDuration(tokenLifetime)}, ${end}`
}

/**
 * What needs a token: the resources, but for those to which no address leads, and the services. A resource
 * whose path a service has taken is at another path behind the token check.
 */
function resources(state: Data, services: readonly Service[], url: string, data: ServedData): Route[] {
  const names = resourceNames(state).filter(hasAddress)
  const routes = names.map((name) => {
    const resource = state[name]
    const size = !Array.isArray(resource)
      ? 'one object'
      : `${resource.length} ${resource.length === 1 ? 'record' : 'records'}`
    return isTaken(services, { path: `/${name}` })
      ? { url: `${url}/${name}/`, note: `${size}: json-server's array, with filters` }
      : { url: `${url}/${name}`, note: size }
  })
  const ofServices = services.filter(({ isOpen }) => !isOpen).flatMap((service) => service.routes(data))
  return [...routes, ...ofServices.map(({ path, note }) => ({ url: `${url}${path}`, note }))]
}

/** The routes that need no token: those that are there whatever the data come last. */
function openRoutes(
  settings: Settings,
  services: readonly Service[],
  url: string,
  data: ServedData,
): Route[] {
  const { static: folder, allow } = settings
  const ofServices = services.filter(({ isOpen }) => isOpen).flatMap((service) => service.routes(data))
  const rules = allow.map((rule) => {
    const [method = '', path = ''] = rule.split(' ')
    return { method, path }
  })
  const files =
    folder && existsSync(folder) ? [{ method: 'GET', path: '/<file>', note: `the files in ${folder}` }] : []
  return [
    ...ofServices.filter(({ isAside }) => !isAside),
    ...rules,
    ...files,
    ...ofServices.filter(({ isAside }) => isAside),
  ].map(({ path, ...route }) => ({ url: `${url}${path}`, ...route }))
}

const METHOD_COLOURS = { GET: 'green', DELETE: 'red' } as const

/** Lines with their notes below each other. */
function drawRoutes(routes: readonly Route[], style: Style): string[] {
  const width = Math.max(...routes.map(({ url }) => url.length))
  return routes.map(({ method, url, note, isAside }) => {
    const colour = method === 'GET' || method === 'DELETE' ? METHOD_COLOURS[method] : 'yellow'
    const before =
      method === undefined ? '' : `${style(colour, method)}${' '.repeat(Math.max(1, 5 - method.length))}`
    const after = note === undefined ? '' : ' '.repeat(width - url.length + 2) + style('dim', note)
    return `  ${before}${style(isAside ? 'dim' : 'cyan', url)}${after}`
  })
}
