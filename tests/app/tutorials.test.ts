import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, type TestServer } from '../support/http'

/** Where Vite serves the page of a tutorial. */
const PAGE = 'http://localhost:5173'

/** What tutorials about json-server print, word for word but for the names, with `--allow all`. */
let server: TestServer
async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveApp({ data: sampleData(), allow: 'all', ...options })
}
beforeEach(() => start())
afterEach(() => server.close())

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, init)
}

async function read(path: string): Promise<unknown> {
  return (await call(path)).json()
}

function jsonBody(method: string, body: unknown): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

test('create, read, update and delete without a login', async () => {
  const created = await call('/posts', jsonBody('POST', { title: 'json-server', views: 1 }))
  expect(created.status).toBe(201)
  expect(await created.json()).toEqual({ title: 'json-server', views: 1, id: 3 })
  expect(created.headers.get('location')).toBe(`${server.url}/posts/3`)
  expect(await read('/posts/3')).toEqual({ id: 3, title: 'json-server', views: 1 })
})

test('a PUT, PATCH and DELETE cycle', async () => {
  const put = await call('/posts/1', jsonBody('PUT', { title: 'whole' }))
  expect(await put.json()).toEqual({ title: 'whole', id: 1 })
  const patched = await call('/posts/1', jsonBody('PATCH', { views: 7 }))
  expect(await patched.json()).toEqual({ title: 'whole', id: 1, views: 7 })
  const deleted = await call('/posts/1', { method: 'DELETE' })
  expect([deleted.status, await deleted.json()]).toEqual([200, {}])
  expect((await call('/posts/1')).status).toBe(404)
  expect(await read('/comments?postId=1')).toEqual([])
})

test('register and log in as with json-server-auth, by rules and a token that nothing asks for', async () => {
  await server.close()
  await start({ routes: { '/register': '/users', '/login': '/auth/login' } })
  const eve = { email: 'eve@example.com', password: 'bestPassw0rd' }
  expect((await call('/register', jsonBody('POST', { ...eve, firstname: 'Eve' }))).status).toBe(201)
  const login = await call('/login', jsonBody('POST', eve))
  const { access_token: token } = JSON.parse(await login.text())
  const me = await call('/auth/me', { headers: { Authorization: `Bearer ${token}` } })
  expect(await me.json()).toMatchObject({ firstname: 'Eve' })
  expect((await call('/users/3', { headers: { Authorization: 'Bearer undefined' } })).status).toBe(200)
})

test('a login by GET /users?email=&password=', async () => {
  expect(await read('/users?email=ada@example.com&password=lovelace')).toMatchObject([{ name: 'Ada' }])
  expect(await read('/users?email=ada@example.com&password=wrong')).toEqual([])
})

test('pages, with X-Total-Count and Link', async () => {
  const page = await call('/comments?_page=2&_limit=2', { headers: { Origin: PAGE } })
  expect(await page.json()).toMatchObject([{ id: 3 }])
  expect(page.headers.get('x-total-count')).toBe('3')
  expect(page.headers.get('link')).toContain('rel="prev"')
  expect(page.headers.get('access-control-expose-headers')).toMatch(/X-Total-Count/)
  expect(await read('/comments?_start=1&_end=2')).toMatchObject([{ id: 2 }])
})

test('_sort and _order', async () => {
  expect(await read('/posts?_sort=views&_order=desc')).toMatchObject([{ id: 2 }, { id: 1 }])
  expect(await read('/comments?_sort=postId,id&_order=desc,asc')).toMatchObject([
    { id: 3 },
    { id: 1 },
    { id: 2 },
  ])
})

test('q, filters and operators', async () => {
  expect(await read('/posts?q=world')).toMatchObject([{ id: 2 }])
  expect(await read('/posts?author.name=typicode')).toMatchObject([{ id: 1 }])
  expect(await read('/posts?views_gte=150')).toMatchObject([{ id: 2 }])
  expect(await read('/posts?title_like=^H')).toMatchObject([{ id: 1 }])
  expect(await read('/posts?id=1&id=2')).toHaveLength(2)
})

test('nested routes', async () => {
  expect(await read('/posts/1/comments')).toMatchObject([{ id: 1 }, { id: 2 }])
  const created = await call('/posts/2/comments', jsonBody('POST', { body: 'new' }))
  expect(await created.json()).toEqual({ body: 'new', postId: '2', id: 4 })
})

test('_embed and _expand', async () => {
  expect(await read('/posts/2?_embed=comments')).toMatchObject({ title: 'World', comments: [{ id: 3 }] })
  expect(await read('/comments?_expand=post')).toMatchObject([{ post: { id: 1 } }, {}, { post: { id: 2 } }])
})

test('a form post', async () => {
  const created = await call('/comments', {
    method: 'POST',
    headers: { Origin: PAGE },
    body: new URLSearchParams({ body: 'from a form', postId: '1' }),
  })
  expect(created.status).toBe(201)
  expect(await created.json()).toEqual({ body: 'from a form', postId: '1', id: 4 })
})

test('a page at http://localhost:5173: its preflight, and its request after that', async () => {
  const preflight = await ask(server.url, {
    method: 'OPTIONS',
    path: '/posts/1',
    headers: {
      Origin: PAGE,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': expect.stringContaining('PATCH'),
    'access-control-allow-headers': 'content-type',
  })
  const sent = jsonBody('PATCH', { views: 8 })
  const patched = await call('/posts/1', { ...sent, headers: { ...sent.headers, Origin: PAGE } })
  expect(patched.status).toBe(200)
  expect(patched.headers.get('access-control-allow-origin')).toBe(PAGE)
})
