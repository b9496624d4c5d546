import { type Answer, ask } from './requests'

interface Sender {
  /** The header X-Sandbox. */
  sandbox?: string
  token?: string
}

/** Sends a request to a server, in a sandbox or not, with a token or without. */
export function send(
  url: string,
  line: string,
  { sandbox, token, body }: Sender & { body?: unknown } = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = line.split(' ')
  return ask(url, {
    method,
    path,
    headers: {
      ...(sandbox !== undefined && { 'X-Sandbox': sandbox }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Logs in, in a sandbox or not, and returns the token. */
export async function logInTo(
  url: string,
  sandbox?: string,
  credentials: object = { email: 'ada@example.com', password: 'lovelace' },
): Promise<string> {
  const { status, text } = await send(url, 'POST /auth/login', { sandbox, body: credentials })
  const token = /"access_token": "(.*)"/.exec(text)?.[1]
  if (token === undefined) throw new Error(`The response to the login was ${status} ${text}`)
  return token
}
