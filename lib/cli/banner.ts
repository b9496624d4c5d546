import { existsSync } from 'node:fs'
import { LOGIN_PATH, USER_LOOKUP_PATH } from '../auth/access-policy'
import { ALL } from '../auth/allow-rules'
import { isJsonFile } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { packageVersion } from '../files/package'
import { formatDuration } from '../format-duration'
import { isLoopback } from '../http/loopback'
import { NO_RULES, type RewriteRules } from '../http/rewrite-rules'
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
  style: Style
  /** The rewrite rules. Default: none. */
  rules?: RewriteRules
}

/** How many collections and rules the start lists: more would push what comes first out of sight. */
const MOST_LISTED = { collections: 15, rules: 10 }

/** What the terminal takes while the server runs: the last line of the start, behind all warnings. */
export function keysLine(style: Style): string {
  return `\n  ${style('dim', 'Type s and Enter to save a snapshot of the data, Ctrl+C to stop.')}\n`
}

/** A line of a list: what to ask for, and a note about it. */
interface Route {
  method?: string
  url: string
  note?: string
  /** Whether it is there whatever the data is. */
  isAside?: true
}

/**
 * What a person needs next after the start: where the server is, what needs no token, how to log in, what
 * happens to changes.
 */
export function banner(
  settings: Settings,
  state: Data,
  { port, startTime, style, rules = NO_RULES }: BannerOptions,
): string {
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
    ...drawRules(settings, rules, style),
    ...drawLogin(settings, state, url, style),
    [...notes(settings, url).map((note) => colourAddress(note, style)), ...whatChangesDo(settings, state)],
  ]
    .map((section) => `\n${section.map((line) => `  ${line}\n`).join('')}`)
    .join('')
}

/** The sections that say what needs a token and what needs none. */
function access(settings: Settings, state: Data, url: string, style: Style): string[][] {
  const all = firstOf(drawRoutes(resources(settings, state, url), style), MOST_LISTED.collections, style)
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
  return [
    [
      `${style('bold', 'With a token')} ${header}`,
      ...all,
      style('dim', `  A token lasts ${lifetime(settings)}.`),
    ],
    [style('bold', 'Without a token'), ...drawRoutes(openRoutes(settings, state, url), style)],
  ]
}

/** The section with the lines that log in, unless nobody can, or need not. */
function drawLogin(settings: Settings, state: Data, url: string, style: Style): string[][] {
  if (settings.allow.includes(ALL)) return []
  const login = loginHelp(settings, state, url, { publicList: publicList(settings, state) })
  return login === undefined
    ? []
    : [[style('bold', login.heading), ...login.lines.map((line) => `  ${style('cyan', line)}`)]]
}

/** The section with the rewrite rules, as json-server lists them. */
function drawRules({ routes }: Settings, rules: RewriteRules, style: Style): string[][] {
  const drawn = Object.entries(rules).map(([from, to]) => `  ${from} -> ${to}`)
  if (routes === undefined || drawn.length === 0) return []
  return [[style('bold', `Rewrite rules from ${routes}`), ...firstOf(drawn, MOST_LISTED.rules, style)]]
}

/** The first lines of a list, and how many more there are. */
function firstOf(lines: readonly string[], most: number, style: Style): string[] {
  const more = lines.length - most
  return more > 0 ? [...lines.slice(0, most), style('dim', `  and ${more} more`)] : [...lines]
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

function whatChangesDo(settings: Settings, state: Data): string[] {
  const { readOnly, inMemory, source, live } = settings
  if (readOnly) return ['Read-only: changes are refused with 403.']
  const list = live ? undefined : publicList(settings, state)
  return [
    !inMemory && isJsonFile(source)
      ? `Changes are saved to ${source}.`
      : `Changes stay in memory: ${source} is never written.`,
    ...(list === undefined
      ? []
      : [`Without --live, the list at /${list} does not show them until a restart.`]),
  ]
}

function lifetime({ secret, tokenLifetime }: Settings): string {
  const end =
    secret === undefined ? 'or until the server stops (unless JWT_SECRET is set)' : 'also after a restart'
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
      ? { url: `${url}/${name}/`, note: `${size}, as json-server's array` }
      : { url: `${url}/${name}`, note: size }
  })
}

/** The routes that need no token. */
function openRoutes(settings: Settings, state: Data, url: string): Route[] {
  const { live, idProperty, static: folder, allow } = settings
  const routes: Route[] = [{ method: 'POST', url: `${url}${LOGIN_PATH}` }]
  const name = publicList(settings, state)
  if (name !== undefined) {
    const moment = live ? 'as it is now' : 'as it was loaded'
    // Whoever knows json-server expects an array.
    routes.push({
      method: 'GET',
      url: `${url}/${name}`,
      note: `{"${name}": [...]} ${moment}`,
    })
    const id = firstId(state[name], idProperty)
    if (id !== undefined) routes.push({ method: 'GET', url: `${url}/${name}/${encodeURIComponent(id)}` })
  }
  for (const rule of allow) {
    const [method = '', path = ''] = rule.split(' ')
    routes.push({ method, url: `${url}${path}` })
  }
  if (folder && existsSync(folder))
    routes.push({ method: 'GET', url: `${url}/<file>`, note: `the files in ${folder}` })
  const lookup = { url: `${url}${USER_LOOKUP_PATH}`, note: 'three sample users, always there' }
  routes.push({ method: 'GET', ...lookup, isAside: true })
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
  return routes.map(({ method, url, note, isAside }) => {
    const gap = ' '.repeat(width - url.length + 2)
    if (isAside) return style('dim', `  ${(method ?? '').padEnd(5)}${url}${gap}${note}`)
    const colour = method === 'GET' || method === 'DELETE' ? METHOD_COLOURS[method] : 'yellow'
    const before =
      method === undefined ? '' : `${style(colour, method)}${' '.repeat(Math.max(1, 5 - method.length))}`
    const after = note === undefined ? '' : gap + style('dim', note)
    return `  ${before}${style('cyan', url)}${after}`
  })
}
