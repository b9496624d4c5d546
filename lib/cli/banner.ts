import { existsSync } from 'node:fs'
import { LOGIN_PATH, USER_LOOKUP_PATH } from '../auth/access-policy'
import { ALL } from '../auth/allow-rules'
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
import { idOf } from './record-id'

export interface BannerOptions {
  /** The TCP port that was bound. */
  port: number
  /** Milliseconds that the start took. */
  startTime: number
  /** Whether the source, if it is a module, keeps changes. */
  isStored?: boolean
  style: Style
}

/** A line of a list: what to ask for, and a note about it. */
interface Route {
  method?: string
  url: string
  note?: string
}

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 */
export function banner(settings: Settings, state: Data, options: BannerOptions): string {
  const { port, startTime, style, isStored = false } = options
  const { source, host, cert } = settings
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const ready = style('dim', `ready in ${Math.round(startTime)} ms`)
  return [
    [
      `${style('bold', `json-server-bearer ${packageVersion()}`)} ${ready}`,
      `serves ${source} at ${style('cyan', url)}`,
    ],
    ...access(settings, state, url, style),
    [...notes(settings, url).map((note) => colourAddress(note, style)), whatChangesDo(settings, isStored)],
    [style('dim', 'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.')],
  ]
    .map((section) => `\n${section.map((line) => `  ${line}\n`).join('')}`)
    .join('')
}

/** The sections that say what needs a token, what needs none, and how to get one. */
function access(settings: Settings, state: Data, url: string, style: Style): string[][] {
  const all = drawRoutes(resources(settings, state, url), style)
  if (settings.allow.includes(ALL)) {
    const open = [
      `${style('bold', 'Everything is open:')} ${style('dim', 'no request needs a token')}`,
      ...all,
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
      ...all,
      style('dim', `  A token lasts ${lifetime(settings)}.`),
    ],
    [style('bold', 'Without a token'), ...drawRoutes(openRoutes(settings, state, url), style)],
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

function whatChangesDo({ readOnly, inMemory, source }: Settings, isStored: boolean): string {
  if (readOnly) return 'Read-only: changes are refused with 403.'
  if (!inMemory && isJsonFile(source)) return `Changes are saved to ${source}.`
  if (isStored) return `Changes are saved by ${source}.`
  return `Changes stay in memory: ${source} is never written.`
}

function lifetime({ secret, tokenLifetime }: Settings): string {
  const end =
    secret === undefined ? 'or until this server stops (set JWT_SECRET to keep it)' : 'also after a restart'
  return `${formatDuration(tokenLifetime)}, ${end}`
}

/** The name of the public list, if the data has it. */
function publicList({ publicCollection }: Settings, state: Data): string | undefined {
  return publicCollection && Array.isArray(state[publicCollection]) ? publicCollection : undefined
}

/**
 * The resources, but for those to which no address leads. Behind the token check, the public one is at
 * another path than without a token.
 */
function resources(settings: Settings, state: Data, url: string): Route[] {
  const names = resourceNames(state).filter(hasAddress)
  return names.map((name) => {
    const resource = state[name]
    const size = !Array.isArray(resource)
      ? 'one object'
      : `${resource.length} ${resource.length === 1 ? 'record' : 'records'}`
    return name === publicList(settings, state)
      ? { url: `${url}/${name}/`, note: `${size}: json-server's array, with filters` }
      : { url: `${url}/${name}`, note: size }
  })
}

/** The routes that need no token. */
function openRoutes(settings: Settings, state: Data, url: string): Route[] {
  const { live, idProperty, static: folder, allow } = settings
  const routes: Route[] = [{ method: 'POST', url: `${url}${LOGIN_PATH}` }]
  const name = publicList(settings, state)
  if (name !== undefined) {
    const moment = live ? 'as it is now' : 'as loaded (--live: now)'
    // Whoever knows json-server expects an array, and filters.
    routes.push({
      method: 'GET',
      url: `${url}/${name}`,
      note: `{"${name}": [...]}, unfiltered, ${moment}`,
    })
    const id = firstId(state[name], idProperty)
    if (id !== undefined) routes.push({ method: 'GET', url: `${url}/${name}/${encodeURIComponent(id)}` })
  }
  routes.push({ method: 'GET', url: `${url}${USER_LOOKUP_PATH}`, note: 'three sample users' })
  for (const rule of allow) {
    const [method = '', path = ''] = rule.split(' ')
    routes.push({ method, url: `${url}${path}` })
  }
  if (folder && existsSync(folder))
    routes.push({ method: 'GET', url: `${url}/<file>`, note: `the files in ${folder}` })
  return routes
}

/** The first id in a collection that a URL leads to. */
function firstId(collection: unknown, idProperty: string): string | number | undefined {
  for (const record of Array.isArray(collection) ? collection : []) {
    const id = idOf(record, idProperty)
    if (id !== undefined) return id
  }
  return undefined
}

const METHOD_COLOURS = { GET: 'green', DELETE: 'red' } as const

/** Lines with their notes below each other. */
function drawRoutes(routes: readonly Route[], style: Style): string[] {
  const width = Math.max(...routes.map(({ url }) => url.length))
  return routes.map(({ method, url, note }) => {
    const colour = method === 'GET' || method === 'DELETE' ? METHOD_COLOURS[method] : 'yellow'
    const before =
      method === undefined ? '' : `${style(colour, method)}${' '.repeat(Math.max(1, 5 - method.length))}`
    const after = note === undefined ? '' : ' '.repeat(width - url.length + 2) + style('dim', note)
    return `  ${before}${style('cyan', url)}${after}`
  })
}
