import { networkInterfaces } from 'node:os'
import { ALL } from '../auth/allow-rules'
import { type BuiltInRoute, isForOpen } from '../auth/built-in-route'
import { sampleLogin } from '../auth/credentials'
import { DATA_PATH, USER_LOOKUP_PATH, WHO_AM_I_PATH } from '../auth/paths'
import { isSaved } from '../data/open-data'
import { type Data, resourceNames } from '../data/valid-data'
import { isFolder } from '../files/is-folder'
import { packageVersion } from '../files/package'
import { prefixOf, type RewriteRules } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { resourcePath } from '../json-server/addresses'
import type { Style } from '../style'
import type { Settings } from './flags/command-line'
import { loginFragment, loginLines } from './login-lines'
import { openingRules } from './opened'
import type { Started } from './started'

/** How many resources a list names: more would push what comes first out of sight. */
const MOST_NAMES = 6

interface StartTextOptions {
  /** The TCP port that was bound. */
  port: number
  /** Whether a data file can be replaced; if not, a warning says so. Default: true. */
  canSave?: boolean
  style: Style
}

/**
 * What a person needs after the start: where the server is, how to log in and list, what is open, what happens
 * to changes. The rest is in the help, and on the page of `--docs`.
 */
export function startText(started: Started, { port, style, canSave = true }: StartTextOptions): string {
  const { settings, state, builtInRoutes, allowed, rules, ownerRules } = started
  const { source, host, cert, docs, openid, issuer, readOnly } = settings
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? 'localhost' : host
  const url = `${cert ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
  const isTaken = (path: string) => isForOpen(builtInRoutes, { method: 'GET', path })
  // After the token check, a resource whose path a built-in route has taken is at another one.
  const pathOf = (resource: string) => {
    const path = `/${resourcePath(resource)}`
    return prefixOf(rules) + (isTaken(path) ? `${path}/` : path)
  }
  const resources = resourceNames(state).filter((name) => {
    const address = resourcePath(name)
    return address !== undefined && !isTaken(`/${address}/`)
  })
  const listed = resources.find((resource) => resource !== 'users' && Array.isArray(state[resource])) ?? 'db'
  // What is private is named in a line of its own.
  const shown =
    allowed === ALL ? resources.filter((name) => ownerRules.get(name)?.isPrivate !== true) : resources
  const paths = shown.slice(0, MOST_NAMES).map(pathOf)
  const more = shown.length - paths.length
  if (more > 0) paths.push(`${more} more`)
  const login = allowed === ALL ? [] : loginLines(started, { url, asked: url + pathOf(listed) })
  const lines = [
    '',
    `${style('bold', `json-server-bearer ${packageVersion()}`)} serves ${source} at ${style('cyan', url)}`,
    ...(isEverywhere ? otherAddresses(url) : []),
    loadedLine(settings, rules),
    login.length > 0 && '',
    ...login.map((line, index) => (index === 0 ? style('bold', line) : `  ${style('cyan', line)}`)),
    '',
    ...(allowed === ALL ? inLines('Everything is open:', paths) : tokenLines(started, paths)),
    ...ownerLines(settings),
    openid && `The issuer for OpenID Connect: ${style('cyan', issuer ?? url)}`,
    docs && `See it in a browser: ${style('cyan', url + DATA_PATH + loginFragment(started))}`,
    canSave && !readOnly && changesLine(settings, state),
    style('dim', 's and Enter saves a snapshot, Ctrl+C stops. --help shows all flags.'),
    '',
  ]
  return lines
    .filter((line) => typeof line === 'string')
    .map((line) => line && `  ${line}`)
    .join('\n')
}

/** The files of rules and middlewares that were loaded: one that was not found is missing here. */
function loadedLine({ routes, config, middlewares }: Settings, rules: RewriteRules): string | false {
  const count = Object.keys(rules).length
  const files = [
    routes === undefined
      ? []
      : `${isRecord(routes) ? config : routes} (${count} ${count === 1 ? 'rule' : 'rules'})`,
    middlewares,
  ].flat(2)
  return files.length > 0 && `Loaded ${files.join(', ')}`
}

/** Where a phone reaches a server that listens at every address of this machine. */
function otherAddresses(url: string): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `Other machines reach it at ${url.replace('localhost', address)}`)
}

/** Whose records only their owner reads or changes. */
function ownerLines({ private: hidden, owned }: Settings): string[] {
  return [
    ...(hidden.length > 0 ? inLines('Private, to its owner and --user:', hidden) : []),
    ...(owned.length > 0 ? inLines('Changed by its owner and --user:', owned) : []),
  ]
}

/** What needs a token, and what needs none. */
function tokenLines(started: Started, paths: readonly string[]): string[] {
  const { settings, state, builtInRoutes } = started
  const { idProperty, static: folder } = settings
  const shownOf = (some: readonly BuiltInRoute[]) => some.flatMap(({ shown }) => shown({ state, idProperty }))
  const closed = shownOf(builtInRoutes.filter(({ isOpen }) => !isOpen))
    .map(({ path }) => path)
    // The specified one is in the README; an application's own is what it looks for.
    .filter((path) => path !== WHO_AM_I_PATH)
  const open = [...shownOf(builtInRoutes.filter(({ isOpen }) => isOpen)), ...openingRules(started)]
    // Whoever has data of their own does not look for it.
    .filter(({ path }) => path !== USER_LOOKUP_PATH || sampleLogin(state.users) !== undefined)
    .map(({ method, path }) => `${method} ${path}`)
  const files = folder && isFolder(folder) ? [`the files in ${folder}`] : []
  return [
    ...inLines('With a token:', [...new Set([...closed, ...paths])]),
    ...inLines('Without:     ', [...open, ...files]),
  ]
}

/** A list after a label, in lines that fit on a screen of 80 columns: as many names as fit, or one that is longer. */
function inLines(label: string, names: readonly string[]): string[] {
  const fitting = new RegExp(`(?:.{1,${76 - label.length}}|.+?)(?:, |$)`, 'g')
  const parts = names.join(', ').match(fitting) ?? []
  return parts.map((part, index) => `${index === 0 ? label : ' '.repeat(label.length)} ${part.trimEnd()}`)
}

/** What happens to changes, and where they do not show. */
function changesLine({ inMemory, source, live, publicCollection }: Settings, state: Data): string {
  const isKept = !inMemory && isSaved(source)
  const place = isKept ? 'are saved to' : 'stay in memory, not in'
  const isAsLoaded = publicCollection && !live && Array.isArray(state[publicCollection])
  const shown = `; GET /${publicCollection} shows them with --live${isKept ? ' or a restart' : ''}`
  return `Changes ${place} ${source}${isAsLoaded ? shown : ''}.`
}
