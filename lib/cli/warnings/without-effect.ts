import { existsSync } from 'node:fs'
import path from 'node:path'
import { isLeftToResource } from '../../accounts/find-route'
import { flagOf, hasPath, isOpen, isSpecified } from '../../auth/account-route'
import { ALL, rulesOf } from '../../auth/allow-rules'
import { isFixed } from '../../auth/built-in-route'
import { LOGIN_PATH, publicNames, publicReadAt } from '../../auth/paths'
import { cookieName } from '../../auth/token-places'
import { resourceNames } from '../../data/valid-data'
import { DEFAULTS } from '../../defaults'
import { isFolder } from '../../files/is-folder'
import { RULE_METHODS, ruleSide } from '../../http/rewrite-rules'
import { nearestName } from '../../nearest-name'
import type { Settings } from '../flags/command-line'
import { isForMiddleware, isTakenByServer, leadsSomewhere } from '../opened'
import type { Started } from '../started'
import type { Warnings } from './sentences'

/** What names nothing that is there. */
export const namesNothing: Warnings = ({ settings, state }) => {
  const { source, publicCollection, static: folder } = settings
  return [
    resourceNames(state).length === 0 &&
      `${source} has no collection, so there is nothing to read or change: write one, such as ${
        isFolder(source) ? 'posts.json with [] in it' : '{"posts": []}'
      }.`,
    publicCollection &&
      publicCollection !== DEFAULTS.publicCollection &&
      !Array.isArray(state[publicCollection]) &&
      `${source} has no collection "${publicCollection}" that could be public: check --public.`,
    folder !== undefined &&
      !isFolder(folder) &&
      `There is no folder ${folder}, so no files are served: check --static.`,
  ]
}

/** What something else responds to than a flag or a rule says: the server itself, or a file. */
export const takenPaths: Warnings = (started) => {
  const { settings, state, allowed, accountRoutes, rules } = started
  const { publicCollection, loginUsers = DEFAULTS.loginUsers, static: folder } = settings
  const isListed = (path: string) =>
    publicCollection && publicReadAt(publicNames(publicCollection), path) !== undefined
  const taken = rulesOf(allowed)
    .filter((rule) => isTakenByServer(rule, started))
    .filter((rule) => !isForMiddleware(rule, started))
  return [
    ...taken.map(
      ({ method, path }) =>
        `--allow "${method} ${path}" changes nothing, because the server itself responds there` +
        (isListed(path) ? ": add --no-public for json-server's own list." : '.'),
    ),
    ...accountRoutes
      .filter((route) => !isSpecified(route))
      .flatMap((route) =>
        resourceNames(state)
          .filter((name) => hasPath(route, `/${name}`))
          // There, a POST adds a user in any case.
          .filter((name) => route.does !== 'signUp' || name !== loginUsers)
          .map(
            (name) =>
              `${route.method} ${route.path} goes to ${flagOf(route)}, and no longer to "${name}": name another path, ` +
              'unless you mean this.',
          ),
      ),
    // Routes that need no token come before files.
    ...accountRoutes
      .filter((route) => route.method === 'GET' && !isOpen(route) && !isLeftToResource(route, { state }))
      .map(
        (route) =>
          folder !== undefined &&
          hasFile(path.join(folder, route.path)) &&
          `GET ${route.path} gives a file in ${folder}, and no longer who has logged in: move the file, or name another ` +
            `path by ${flagOf(route)}.`,
      ),
    ...Object.keys(rules).map((from) => {
      const stays = stayingMethods(from, started)
      if (stays.length === 0) return false
      const advice =
        ruleSide(from).path === LOGIN_PATH
          ? `: --login ${LOGIN_PATH} gives it another response, and --allow "POST ${LOGIN_PATH}" is for a middleware of yours.`
          : '.'
      return `The rule "${from}" leads no ${stays.join(' or ')} away, because the server itself responds there${advice}`
    }),
  ]
}

/** Whether something is served at a place in a static folder: a file, or the page of a folder. */
function hasFile(place: string): boolean {
  return existsSync(path.join(place, 'index.html')) || (existsSync(place) && isFolder(place) === false)
}

/** The methods of a rule by which a request for its own path is not led away. */
function stayingMethods(from: string, { builtInRoutes }: Started): string[] {
  const { method: only, path } = ruleSide(from)
  const methods = only === undefined ? RULE_METHODS : [only]
  return methods.filter((method) => isFixed(builtInRoutes, { method, path }))
}

/** Flags that change nothing beside the others. */
export const idleFlags: Warnings = (started) => {
  const { settings, state, allowed } = started
  const { allow, allowedHosts, issuer, openid, readOnly, signUp } = settings
  return [
    readOnly && signUp.length > 0 && '--sign-up changes nothing with --read-only: nobody can sign up.',
    allow !== ALL &&
      !openid &&
      !hasCookies(settings) &&
      allowedHosts.length > 0 &&
      '--allow-host changes nothing without --allow all, --openid, or a login by a cookie.',
    !openid && issuer !== undefined && '--issuer changes nothing without --openid.',
    ...rulesOf(allowed)
      .filter((rule) => !leadsSomewhere(rule, started))
      .map(({ method, path, lines }) => {
        const [, first = ''] = (lines.at(-1)?.path ?? path).split('/')
        const nearest = nearestName(first, resourceNames(state))
        const advice = nearest === undefined ? 'check its name.' : `did you mean /${nearest}?`
        return `--allow "${method} ${path}" opens nothing, because the data has no "${first}": ${advice}`
      }),
  ]
}

/** Whether tokens travel in cookies, which pages of other hosts may then use. */
function hasCookies({ tokenIn, refreshIn }: Settings): boolean {
  return [...tokenIn, refreshIn].some((place) => cookieName(place) !== undefined)
}
