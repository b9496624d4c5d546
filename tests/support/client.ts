import { authorized, logIn } from './helpers'
import type { Launched, PROGRAMS } from './launch'
import { type Answer, ask } from './requests'

/** Sends one request, with a token where one is needed. */
export type Send = (
  line: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>

/** A client of a server: of ours with the token of the first user, of plain json-server with none. */
export async function client(server: Launched, program: keyof typeof PROGRAMS = 'ours'): Promise<Send> {
  const own =
    program === 'ours' ? authorized(await logIn(server.url)) : { 'Content-Type': 'application/json' }
  return (line, { body, headers } = {}) => {
    const [method = 'GET', target = '/'] = line.split(' ')
    return ask(server.url, {
      method,
      path: target,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
}
