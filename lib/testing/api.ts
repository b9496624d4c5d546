import type { Credentials } from '../auth/credentials'

type Headers = Record<string, string>

/** The routes of a mock that control a sandbox. Each failure is an Error with a sentence. */
interface Api {
  /** @returns the text of the response */
  (method: string, path: string, options: { headers: Headers; body?: unknown }): Promise<string>
  /** @returns the token */
  login(user: Credentials, headers: Headers): Promise<string>
}

/** @param url where the mock is, with or without a slash at its end */
export function api(url: string): Api {
  const origin = url.replace(/\/+$/, '')

  async function ask(method: string, path: string, headers: Headers, body?: unknown): Promise<Response> {
    try {
      return await fetch(origin + path, {
        method,
        headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    } catch (error) {
      throw new Error(`The mock at ${origin} cannot be reached (${reasonOf(error)}): is it running?`, {
        cause: error,
      })
    }
  }

  async function control(
    method: string,
    path: string,
    { headers, body }: { headers: Headers; body?: unknown },
  ) {
    const response = await ask(method, `/__sandbox${path}`, headers, body)
    const text = await response.text()
    if (response.ok) return text
    if (response.status === 404) throw new Error(`The mock at ${origin} has no sandboxes: is --sandboxes on?`)
    throw new Error(`The mock at ${origin} refused ${method} /__sandbox${path}: ${sentenceIn(text)}`)
  }

  async function login(user: Credentials, headers: Headers): Promise<string> {
    const response = await ask('POST', '/auth/login', headers, user)
    const text = await response.text()
    const token = response.ok && /"access_token":\s*"([^"]+)"/.exec(text)?.[1]
    if (token) return token
    if (response.status === 401)
      throw new Error(
        `The mock at ${origin} refused the login of ${user.email}: check the email and the password.`,
      )
    const answer = response.ok ? 'The response has no access_token: is it another server?' : sentenceIn(text)
    throw new Error(`The login at ${origin} failed with ${response.status}. ${answer}`)
  }

  return Object.assign(control, { login })
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
