import type { Credentials } from '../auth/credentials'
import { errorCode } from '../error-code'
import { isRecord } from '../is-record'

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
    const why = hints[response.status] ?? fieldOf(text, 'error') ?? text
    throw new Error(`The mock at ${origin} refused ${method} ${path}: ${why}`)
  }

  return {
    /**
     * Sends a request to a route that controls a sandbox.
     *
     * @returns the text of the response
     */
    control: (method: string, path: string, headers: Headers, body?: unknown) =>
      ask(
        {
          401: 'it needs a valid token: give a user; after a restart of the mock, open the sandbox again.',
          404: 'it has no sandboxes: is --sandboxes on?',
        },
        method,
        `/__sandbox${path}`,
        headers,
        body,
      ),

    /** @returns the token; empty without a user */
    async login(user: Credentials | undefined, headers: Headers): Promise<string> {
      if (user === undefined) return ''
      // The login and the token check, which responds below a wrong path, refuse alike.
      const hints = {
        401: `nobody has the email ${user.email} with this password, or the login is at another URL.`,
      }
      const text = await ask(hints, 'POST', '/auth/login', headers, user)
      const token = fieldOf(text, 'access_token')
      if (token === undefined)
        throw new Error(`The login at ${origin} has no access_token: is it another server?`)
      return token
    },
  }
}

/** A text in the JSON of a response; undefined if it has none of this name, as that of another server. */
function fieldOf(text: string, name: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const value = isRecord(body) ? body[name] : undefined
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
