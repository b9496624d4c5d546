import { errorCode } from '../error-code'
import { isRecord } from '../is-record'
import { isSecretName } from '../labels'
import { LOGIN_OF_TESTS } from '../options/sandboxes/protocol'

/**
 * What a user logs in with, as the login of the mock takes it: `{ email, password }`, or with `--login` other fields.
 */
export type TestUser = object

type Headers = Record<string, string>

/**
 * The routes of a mock that tests need. Each failure is an Error with a sentence.
 *
 * @param url where the mock is, with or without a slash at its end
 */
export function api(url: string) {
  const origin = url.replace(/\/+$/, '')

  /**
   * @param hints what to say instead of the response, by status
   * @returns the text of the response
   */
  async function ask(
    hints: Record<number, string>,
    method: string,
    path: string,
    headers: Headers,
    body?: unknown,
  ): Promise<string> {
    const response = await fetch(origin + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch((error: unknown) => {
      // "fetch failed" has the reason as its cause.
      const { cause = error } = isRecord(error) ? error : {}
      const reason = errorCode(cause) ?? cause
      throw new Error(`The mock at ${origin} cannot be reached (${reason}): is it running?`, { cause: error })
    })
    const text = await response.text()
    if (response.ok) return text
    const why = hints[response.status] ?? readField(text, 'error') ?? text
    throw new Error(`The mock at ${origin} refused ${method} ${path}: ${why}`)
  }

  /** @returns the text of the response */
  function control(method: string, path: string, headers: Headers, body?: unknown): Promise<string> {
    const hints = {
      401: 'it needs a valid token: give a user; after a restart of the mock, open the sandbox again.',
      404: NO_SANDBOXES,
    }
    return ask(hints, method, `/__sandbox${path}`, headers, body)
  }

  /**
   * Logs in.
   *
   * @returns the token
   */
  async function login(user: TestUser, headers: Headers): Promise<string> {
    const hints = {
      // Without sandboxes, the route is as any other.
      401: NO_SANDBOXES,
      404: NO_SANDBOXES,
      403: `nobody has ${sentNames(user)} with this password${hasCredentials(user) ? '' : OTHER_FIELDS}.`,
    }
    const token = readField(await ask(hints, 'POST', LOGIN_OF_TESTS, headers, user), 'token')
    if (token !== undefined) return token
    throw new Error(`What is at ${origin} gives no token: is it another server?`)
  }

  /** @returns a list of what the mock says of its rules or requests */
  async function list<Item>(
    path: string,
    headers: Headers,
    isItem: (value: unknown) => value is Item,
  ): Promise<Item[]> {
    const found = parsedJson(await control('GET', path, headers))
    if (Array.isArray(found) && found.every(isItem)) return [...found]
    throw new Error(`What is at ${origin} gives no list for GET /__sandbox${path}: is it another server?`)
  }

  return { control, list, login }
}

const NO_SANDBOXES = 'it has no sandboxes, or is at another URL: is --sandboxes on?'

const OTHER_FIELDS = ', and without --login a user has an "email" and a "password", both texts'

/** Whether a user has what a mock without `--login` takes. */
function hasCredentials(user: TestUser): boolean {
  const { email, password }: { email?: unknown; password?: unknown } = user
  return typeof email === 'string' && typeof password === 'string'
}

/** What a user is called: a field with a typo in its name may hold the password, so that no other value is shown. */
function sentNames(user: TestUser): string {
  const shown = Object.entries(user)
    .filter(([name]) => !isSecretName(name))
    .map(([name, value]) =>
      /^(?:e-?mail|user_?name|login|phone|name)$/i.test(name) ? `the ${name} ${value}` : `a ${name}`,
    )
  return shown.length === 0 ? 'no name' : shown.join(' and ')
}

/** A text in the JSON of a response; undefined if it has none of this name, as that of another server. */
function readField(text: string, name: string): string | undefined {
  const body = parsedJson(text)
  const value = isRecord(body) ? body[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** @returns undefined for what is no JSON */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
