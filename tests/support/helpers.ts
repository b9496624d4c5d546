import type { RequestListener } from 'node:http'
import type { Data } from '../../lib/data/valid-data'
import { type Listening, listen } from '../../lib/http/server/listen'

/** A server on a free port, for one test file. */
export interface TestServer {
  url: string
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function serve(handler: RequestListener): Promise<TestServer> {
  const listening: Listening = await listen(handler, { port: 0, host: '127.0.0.1' })
  return { url: `http://127.0.0.1:${listening.port}`, close: () => listening.close(0) }
}

/** The data of the tests: two users, three blogs, a collection with string ids and a singular resource. */
export function sampleData(): Data {
  return {
    blogs: [
      { id: 1, title: 'One', body: 'First', post: '2026/01/01', userid: 1 },
      { id: 2, title: 'Two', body: 'Second', post: '2026/01/02', userid: 2 },
      { id: 3, title: 'Three', body: 'Third', post: '2026/01/03', userid: 1 },
    ],
    users: [
      { id: 1, name: 'Ada', email: 'ada@example.com', password: 'lovelace' },
      { id: 2, name: 'Grace', email: 'grace@example.com', password: 'hopper' },
    ],
    posts: [
      { id: 1, title: 'Hello', views: 100, author: { name: 'typicode' } },
      { id: 2, title: 'World', views: 200, author: { name: 'other' } },
    ],
    comments: [
      { id: 1, body: 'nice', postId: 1 },
      { id: 2, body: 'great', postId: 1 },
      { id: 3, body: 'meh', postId: 2 },
    ],
    tags: [{ id: 'a1b2', label: 'tea' }],
    profile: { name: 'typicode' },
  }
}

export const ADA = { email: 'ada@example.com', password: 'lovelace' }

/** Logs in and returns the access token. */
export async function logIn(url: string, credentials = ADA): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const body: unknown = await answer.json()
  if (
    typeof body === 'object' &&
    body !== null &&
    'access_token' in body &&
    typeof body.access_token === 'string'
  ) {
    return body.access_token
  }
  throw new Error(`The response to the login was ${answer.status} ${JSON.stringify(body)}`)
}

/** The headers of a request with a token, and of its JSON body if it has one. */
export function authorized(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
}
