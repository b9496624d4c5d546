import { SANDBOX_HEADER } from '../http/sandbox-header'
import { isWebAddress } from '../http/web-address'
import { type KindsOf, LOOKED_AT_ELSEWHERE, requireKinds } from '../option-kinds'
import { type ActedRule, type FaultRule, isActedRule } from '../options/faults/fault-rule'
import { type AskedRequest, isAskedRequest, type RequestFilter } from '../options/sandboxes/protocol'
import { api, type TestUser } from './api'

export type { ActedRule, AskedRequest, FaultRule, RequestFilter, TestUser }

export interface SandboxOptions {
  /** Where the mock is, such as `http://localhost:33000`. */
  url: string
  /** 1 to 64 letters, digits, dots, underscores or hyphens: `sandboxName` makes such a name from any text. */
  name: string
  /** Not needed where the mock is started with `--allow all`. */
  user?: TestUser | undefined
  /** A token in the place of a user, where a middleware of the mock answers the login. */
  token?: string | undefined
}

const SANDBOX_KINDS: KindsOf<SandboxOptions> = {
  url: LOOKED_AT_ELSEWHERE,
  name: LOOKED_AT_ELSEWHERE,
  user: ['an object'],
  token: ['a string'],
}

const FILTER_KINDS: KindsOf<RequestFilter> = { method: ['a string'], path: ['a string'] }

/** A separate copy of the data, on a mock that many tests share. */
export interface Sandbox {
  readonly name: string
  /** Headers for a request that the test itself sends: the name of the sandbox, and the token. `logIn` changes them. */
  readonly headers: { [SANDBOX_HEADER]: string; Authorization: string }
  /** A token that names this sandbox: a request that has it needs no header X-Sandbox. Empty without a user. */
  readonly token: string
  /**
   * Logs in again as the same user, for `token` and `headers` that are valid after `advance` or `endSessions`.
   *
   * @throws Error with a sentence: the mock refuses the login, or there is no user
   */
  logIn(): Promise<void>
  /** Goes back to the data as it was loaded, with these collections instead of the loaded ones. */
  reset(collections?: Record<string, unknown>): Promise<void>
  /** Makes requests fail, or wait, by these rules instead of the previous ones: `[]` for none. */
  fail(rules: readonly FaultRule[]): Promise<void>
  /** The rules by which requests fail, and on how many requests each has acted. */
  faults(): Promise<ActedRule[]>
  /** The requests of this sandbox since it was opened or reset, oldest first. */
  requests(filter?: RequestFilter): Promise<AskedRequest[]>
  /**
   * Makes it later in this sandbox, from now on: its tokens expire. A reset sets the time back.
   *
   * @param time with its unit: `90s`, `61m`, `2h`, `7d`; in all up to a year
   */
  advance(time: string): Promise<void>
  /** Ends all sessions of this sandbox, as a logout elsewhere does: the next request is 401, and a refresh as well. */
  endSessions(): Promise<void>
  /** Makes a refresh token of this sandbox good for one use, as `--refresh-once` does. */
  refreshOnce(): Promise<void>
  /** Ends the sandbox. */
  forget(): Promise<void>
}

/**
 * Logs in, if there is a user, and opens a sandbox with the data as it was loaded, even if a sandbox of this
 * name exists.
 *
 * @throws TypeError for an option that does not exist, or is of the wrong kind
 * @throws Error with a sentence: the mock cannot be reached, it has no sandboxes, it refuses the login or the
 *   name
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  requireKinds(options, SANDBOX_KINDS)
  const { url, name, user, token: given } = options
  // A test in JavaScript may leave it out: all such tests would share one.
  if (name === undefined)
    throw new TypeError('openSandbox needs a name, such as sandboxName(the title of the test).')
  if (!isWebAddress(url))
    throw new TypeError('openSandbox needs the url of the mock, such as http://localhost:33000.')
  const { control, list, login } = api(url)
  const logIn = async (headers: Record<string, string>) =>
    given ?? (user === undefined ? '' : await login(user, headers))
  const inSandbox = (token: string) => ({ [SANDBOX_HEADER]: name, Authorization: `Bearer ${token}` })
  // The first login is not in the sandbox: an old one of this name may have other users, or faults. By its token, there is
  // room for a new one.
  const first = await logIn({})
  await control('POST', '/reset', inSandbox(first))
  let token = await logIn({ [SANDBOX_HEADER]: name })
  const headers = inSandbox(token)
  const reset = async (collections?: Record<string, unknown>): Promise<void> => {
    await control('POST', '/reset', headers, collections)
  }
  // The journal begins after the login.
  await reset()
  return {
    name,
    headers,
    get token() {
      return token
    },
    async logIn() {
      if (user === undefined) throw new Error('mock.logIn() needs the user with whom openSandbox logs in.')
      token = await login(user, { [SANDBOX_HEADER]: name })
      // Whoever has taken the headers out of the sandbox has this object.
      Object.assign(headers, inSandbox(token))
    },
    reset,
    async fail(rules) {
      await control('PUT', '/faults', headers, rules)
    },
    faults: () => list('/faults', headers, isActedRule),
    async requests(filter = {}) {
      requireKinds(filter, FILTER_KINDS)
      const { method, path } = filter
      const query = new URLSearchParams({ ...(method && { method }), ...(path && { path }) })
      return list(`/requests?${query}`, headers, isAskedRequest)
    },
    async advance(time) {
      await control('PUT', '/clock', headers, { advance: time })
    },
    async endSessions() {
      await control('DELETE', '/sessions', headers)
    },
    async refreshOnce() {
      await control('PUT', '/sessions', headers, { refreshOnce: true })
    },
    async forget() {
      await control('DELETE', '', headers)
    },
  }
}
