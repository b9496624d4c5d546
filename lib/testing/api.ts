import type { Credentials } from '../auth/credentials'

type Headers = Record<string, string>

/**
 * The routes of a mock that tests need. Each failure is an Error with a sentence.
 *
 * @param url where the mock is, with or without a slash at its end
 */
export function api(url: string) {
  const origin = url.replace(/\/+$/, '')

  async function ask(method: string, path: string, headers: Headers, body?: unknown) {
    try {
      const response = await fetch(origin + path, {
        method,
        headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { ok: response.ok, status: response.status, text: await response.text() }
    } catch (error) {
      throw new Error(`The mock at ${origin} cannot be reached (${reasonOf(error)}): is it running?`, {
        cause: error,
      })
    }
  }

  return {
    /**
     * Sends a request to a route that controls a sandbox.
     *
     * @returns the text of the response
     */
    async control(method: string, path: string, headers: Headers, body?: unknown): Promise<string> {
      const { ok, status, text } = await ask(method, `/__sandbox${path}`, headers, body)
      if (ok) return text
      if (status === 404) throw new Error(`The mock at ${origin} has no sandboxes: is --sandboxes on?`)
      throw new Error(`The mock at ${origin} refused ${method} /__sandbox${path}: ${sentenceIn(text)}`)
    },

    /** @returns the token */
    async login(user: Credentials, headers: Headers): Promise<string> {
      const { ok, status, text } = await ask('POST', '/auth/login', headers, user)
      const token = ok && /"access_token":\s*"([^"]+)"/.exec(text)?.[1]
      if (token) return token
      if (status === 401)
        throw new Error(
          `The mock at ${origin} refused the login of ${user.email}: check the email and the password.`,
        )
      const answer = ok ? 'The response has no access_token: is it another server?' : sentenceIn(text)
      throw new Error(`The login at ${origin} failed with ${status}. ${answer}`)
    },
  }
}

/** The sentence in an error of the mock, or the whole text if another server responded. */
function sentenceIn(text: string): string {
  return /^\{\s*"error":\s*"(.*)"\s*\}$/s.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text
}

/** The cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error instanceof Error ? error.message : String(error)
}
