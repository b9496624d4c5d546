// A session that ends in the middle: five requests meet a 401 at once, and the application refreshes once for all.
import { createApp, listen } from 'json-server-bearer'
import { openSandbox } from 'json-server-bearer/testing'

const user = { email: 'mia@example.com', password: 'sourdough' }
const data = { posts: [], users: [{ id: 1, ...user }] }
const app = createApp({ data, sandboxes: true, login: '/login', refresh: '/refresh', log: false })
const server = await listen(app, { port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${server.port}`
const mock = await openSandbox({ url, name: 'refresh', user })

// What is tested: the part of the application that sends requests.
let tokens
let refreshing

async function getTokens(path, body) {
  const headers = { 'Content-Type': 'application/json', 'X-Sandbox': mock.name }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  tokens = await response.json()
}

async function get(path) {
  const used = tokens
  const ask = () => fetch(url + path, { headers: { Authorization: `Bearer ${tokens.accessToken}` } })
  const first = await ask()
  if (first.status !== 401) return first
  // A 401 may come when the others have already refreshed.
  if (tokens === used) {
    refreshing ??= getTokens('/refresh', { refreshToken: tokens.refreshToken }).finally(() => {
      refreshing = undefined
    })
    await refreshing
  }
  return ask()
}

await mock.refreshOnce() // a refresh token is good for one use, so a second refresh would end the session
await getTokens('/login', user)
await mock.advance('61m')
const responses = await Promise.all([1, 2, 3, 4, 5].map(() => get('/posts')))
console.log(responses.map(({ status }) => status).join(' ')) // 200 200 200 200 200
console.log((await mock.requests({ path: '/refresh' })).length) // 1
await mock.forget()
await server.close(0)
