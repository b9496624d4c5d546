import { createApp } from '../../../server'
import { testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { listenTo } from '../../support/events'
import { json, serve, until } from '../../support/http'

const { start } = testApps()

const posts = [
  { id: 1, slug: 'hello', userId: 1, items: [{ id: 7, sku: 'a' }] },
  { id: 2, slug: 'world', userId: 1 },
  { id: 3, slug: 'world', userId: 2 },
]
const data = () => ({ ...sampleData(), posts, comments: [{ id: 1, postId: 2 }], odd: [{ id: 1, _one: 'x' }] })
const open = (options = {}) =>
  start({
    data: data(),
    publicCollection: false,
    routes: { '/articles/:slug': '/posts?slug=:slug&_one' },
    ...options,
  })

test.each([
  ['/posts?slug=hello&_one', posts[0]],
  ['/posts?slug=world&_one', posts[1]],
  ['/posts?slug=world&_one=', posts[1]],
  ['/posts?slug=world&_one=true&_sort=id&_order=desc', posts[2]],
  ['/posts?slug=world&_one&_page=2&_limit=1', posts[1]],
  ['/posts?slug=world&_one&_start=1&_limit=1', posts[1]],
  ['/posts?slug=world&_one&_embed=comments', { ...posts[1], comments: [{ id: 1, postId: 2 }] }],
  ['/users/2/posts?_one', posts[2]],
  ['/articles/hello', posts[0]],
  ['/posts/1/items?sku=a&_one', { id: 7, sku: 'a' }],
])('GET %s -> the first record as an object', async (path, expected) => {
  const { send } = await open()
  const answer = await send('GET', path)
  expect([answer.status, json(answer)]).toEqual([200, expected])
  expect(answer.headers).not.toHaveProperty('x-total-count')
  expect(answer.headers).not.toHaveProperty('link')
  expect(answer.headers).not.toHaveProperty('access-control-expose-headers')
  const head = await send('HEAD', path)
  expect([head.status, head.headers['content-length']]).toEqual([200, answer.headers['content-length']])
})

test.each(['/posts?slug=nobody&_one', '/articles/nobody', '/posts/1/items?sku=z&_one', '/posts/9?_one'])(
  'GET %s -> the 404 of a record',
  async (path) => {
    const { send } = await open()
    const answer = await send('GET', path)
    expect([answer.status, json(answer)]).toEqual([404, {}])
  },
)

test.each(['_one=false', '_one=0'])('GET /posts?%s -> the list', async (no) => {
  const { send } = await open()
  const answer = await send('GET', `/posts?slug=world&${no}&_page=1&_limit=1`)
  expect([answer.status, json(answer), answer.headers['x-total-count']]).toEqual([200, [posts[1]], '2'])
})

test('where a record has a field of that name, it is a filter', async () => {
  const { send } = await open()
  expect(json(await send('GET', '/odd?_one=x'))).toEqual([{ id: 1, _one: 'x' }])
})

test('other methods are as without it', async () => {
  const { send } = await open()
  expect((await send('POST', '/posts?_one', { slug: 'new' })).status).toBe(201)
  expect((await send('DELETE', '/posts?_one')).status).toBe(404)
})

test('the log says how many there were, if more than one, and why there is none', async () => {
  const lines: string[] = []
  const print = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text))
    return true
  })
  const { send } = await open({ log: true })
  await send('GET', '/posts?slug=world&_one')
  await send('GET', '/posts?slug=hello&_one')
  await send('GET', '/posts?slug=nobody&_one')
  await until(() => lines.join('').includes('nobody'))
  print.mockRestore()
  const about = (slug: string) =>
    lines
      .join('')
      .split('\n')
      .find((line) => line.includes(`slug=${slug}`))
  expect(about('world')).toMatch(/\(.*2\)$/)
  expect(about('hello')).toMatch(/ \d+$/)
  expect(about('nobody')).toMatch(/\(.*"posts".*\)$/)
})

test('a stream of it begins with the object', async () => {
  const server = await serve(createApp({ data: data(), allow: 'all', log: false }))
  const stream = await listenTo(server.url, '/posts?slug=world&_one')
  await until(() => stream.events.length > 0)
  expect(stream.events[0]).toMatchObject({ name: 'loaded', data: posts[1] })
  await server.close()
})
