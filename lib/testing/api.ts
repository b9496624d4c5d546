import { errorCode } from '../error-code'
import { isRecord } from '../is-record'
import { isSecretName } from '../labels'
import { LOGIN_PLACE, type LoginPlace } from '../options/sandboxes/protocol'

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
  let place: Promise<LoginPlace> | undefined

  /**
   * @param hints what to say instead of the response, by status
   * @returns the response, and its text
   */
  async function ask(
    hints: Record<number, string>,
    method: string,
    path: string,
    headers: Headers,
    body?: unknown,
  ): Promise<{ response: Response; text: string }> {
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
    if (response.ok) return { response, text }
    const why = hints[response.status] ?? readField(text, 'error') ?? text
    throw new Error(`The mock at ${origin} refused ${method} ${path}: ${why}`)
  }

  /** @returns the text of the response */
  async function control(method: string, path: string, headers: Headers, body?: unknown): Promise<string> {
    const hints = {
      401: 'it needs a valid token: give a user; after a restart of the mock, open the sandbox again.',
      404: NO_SANDBOXES,
    }
    const { text } = await ask(hints, method, `/__sandbox${path}`, headers, body)
    return text
  }

  /** Where this mock logs people in, whatever its flags are. */
  async function findLogin(): Promise<LoginPlace> {
    const { method, path } = LOGIN_PLACE
    const { text } = await ask({ 401: NO_SANDBOXES, 404: NO_SANDBOXES }, method, path, {})
    const found = parsedJson(text)
    if (isLoginPlace(found)) return found
    throw new Error(`What is at ${origin} does not say where its login is: is it another server?`)
  }

  /**
   * Logs in.
   *
   * @returns the token
   */
  async function login(user: TestUser, headers: Headers): Promise<string> {
    place ??= findLogin()
    const { method, path, token, header, cookie } = await place
    const isRead = method === 'GET'
    const query = isRead ? `?${new URLSearchParams(Object.entries(user))}` : ''
    const hints = { 401: `nobody has ${sentNames(user)} with this password.` }
    const { response, text } = await ask(hints, method, path + query, headers, isRead ? undefined : user)
    const found = token.reduce(partOf, parsedJson(text))
    const [inBody] = TOKEN.exec(String(found)) ?? []
    if (inBody !== undefined) return inBody
    const [inHeader] = TOKEN.exec(response.headers.get(header ?? 'Authorization') ?? '') ?? []
    if (inHeader !== undefined) return inHeader
    const cookies = cookie === undefined ? [] : response.headers.getSetCookie()
    const set = cookies.find((line) => line.startsWith(`${cookie}=`))
    if (set !== undefined) return decodeURIComponent(/=([^;]*)/.exec(set)?.[1] ?? '')
    throw new Error(`The response of ${method} ${path} at ${origin} has no token.`)
  }

  return { control, login }
}

/** A JWT, as it is sent: alone, or within a text such as `Bearer ...`. */
const TOKEN = /[\w-]+\.[\w-]+\.[\w-]+/

const NO_SANDBOXES = 'it has no sandboxes, or is at another URL: is --sandboxes on?'

/** A field of an object, or an item of an array. */
function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** What a user is called, without the password. */
function sentNames(user: TestUser): string {
  const names = Object.entries(user).filter(([name]) => !isSecretName(name))
  return names.map(([name, value]) => `the ${name} ${value}`).join(' and ')
}

function isLoginPlace(value: unknown): value is LoginPlace {
  return isRecord(value) && typeof value.path === 'string' && Array.isArray(value.token)
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
