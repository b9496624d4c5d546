import type { AccountRoute } from '../../auth/account-route'
import { isRecord } from '../../is-record'

/** Where a test logs in, and where the response has the token: what a client cannot know by itself. */
export interface LoginPlace {
  method: string
  path: string
  /** The fields of the response that lead to the token; none if it is in a cookie alone. */
  token: string[]
  /** The cookie with the token, where there is one. */
  cookie?: string
}

/** The route that says it, without a token. */
export const LOGIN_PLACE = { method: 'GET', path: '/__sandbox/login' }

/** @param cookie the name of the cookie in which tokens travel */
export function loginPlace(
  routes: readonly AccountRoute[],
  cookie: string | undefined,
): LoginPlace | undefined {
  const login = routes.find(({ does }) => does === 'logIn')
  if (login === undefined) return undefined
  const { method, path, response = (token: string) => ({ access_token: token }) } = login
  return {
    method,
    path,
    token: fieldsTo(MARK, response(MARK)) ?? [],
    ...(cookie !== undefined && { cookie }),
  }
}

/** Stands for a token in a sample of the response. */
const MARK = 'token'

function fieldsTo(text: string, value: unknown): string[] | undefined {
  if (value === text) return []
  if (!Array.isArray(value) && !isRecord(value)) return undefined
  for (const [name, part] of Object.entries(value)) {
    const fields = fieldsTo(text, part)
    if (fields !== undefined) return [name, ...fields]
  }
  return undefined
}
