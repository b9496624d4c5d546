import type { RequestHandler } from 'express'
import type { Data } from '../../../lib/data/valid-data'
import { testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { json } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'

const { start } = testApps()
quickHashes()

const data = (): Data => ({
  ...sampleData(),
  posts: [{ id: 1, title: 'one' }],
  comments: [{ id: 5, postId: 1 }],
  carts: [{ id: 1, items: [{ id: 3, sku: 'a' }], words: ['a'] }],
  settings: { theme: 'dark' },
})
const open = (options = {}) => start({ data: data(), publicCollection: false, ...options })

test('a list in a POST stores all of it, and is a 201 with the list', async () => {
  const { send } = await open()
  const answer = await send('POST', '/posts', [{ title: 'two' }, { id: 'x' }, { title: 'three' }])
  expect([answer.status, json(answer)]).toEqual([
    201,
    [{ title: 'two', id: 2 }, { id: 'x' }, { title: 'three', id: 3 }],
  ])
  expect(answer.headers).not.toHaveProperty('location')
  expect(json(await send('GET', '/posts'))).toEqual([{ id: 1, title: 'one' }, ...Object(json(answer))])
  expect(json(await send('POST', '/posts', { title: 'four' }))).toEqual({ title: 'four', id: 4 })
})

test('an empty list stores nothing', async () => {
  const { send } = await open()
  const answer = await send('POST', '/posts', [])
  expect([answer.status, json(answer)]).toEqual([201, []])
})

test.each([
  { refused: 'an id that exists', list: [{ title: 'two' }, { id: 1 }], status: 409 },
  { refused: 'an id twice', list: [{ id: 7 }, { id: '7' }], status: 409 },
  { refused: 'an id that no URL holds', list: [{ title: 'two' }, { id: 1.5e300 }], status: 400 },
  { refused: 'what is no record', list: [{ title: 'two' }, 'text'], status: 400 },
  { refused: 'a list', list: [{ title: 'two' }, [{ title: 'three' }]], status: 400 },
  { refused: 'a refused name', list: [{ title: 'two' }, { a: { toString: 1 } }], status: 400 },
  { refused: 'too many', list: Array.from({ length: 10_001 }, () => ({})), status: 400 },
])('where one is refused, none is stored: $refused', async ({ list, status }) => {
  const { send } = await open()
  const before = (await send('GET', '/db')).text
  const answer = await send('POST', '/posts', list)
  expect([answer.status, json(answer)]).toEqual([status, { error: expect.any(String) }])
  expect((await send('GET', '/db')).text).toBe(before)
})

test('through a record, each refers to it', async () => {
  const { send } = await open()
  const answer = await send('POST', '/posts/1/comments', [{}, { id: 9 }])
  expect([answer.status, json(answer)]).toEqual([
    201,
    [
      { postId: '1', id: 6 },
      { id: 9, postId: '1' },
    ],
  ])
})

test('in nested data, each is pushed into the list', async () => {
  const { send } = await open()
  const answer = await send('POST', '/carts/1/items', [{ sku: 'b' }, { sku: 'c' }])
  expect([answer.status, json(answer)]).toEqual([
    201,
    [
      { sku: 'b', id: 4 },
      { sku: 'c', id: 5 },
    ],
  ])
  expect(json(await send('GET', '/carts/1/items'))).toHaveLength(3)
  expect((await send('POST', '/carts/1/words', [{}])).status).toBe(400)
})

test.each([
  ['PUT', '/posts/1'],
  ['PATCH', '/posts/1'],
  ['POST', '/settings'],
  ['PUT', '/settings'],
])('%s %s takes one record', async (method, path) => {
  const { send } = await open()
  expect((await send(method, path, [{ title: 'x' }])).status).toBe(400)
})

test('beside middlewares of the user it is a 400 that names the recipe', async () => {
  const middleware: RequestHandler = (_request, _response, next) => next()
  for (const path of ['/posts', '/posts/1/comments']) {
    const { send } = await open({ middlewares: [middleware], nested: true })
    const answer = await send('POST', path, [{ title: 'two' }])
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/docs\/data\.md/)])
  }
})

test('where passwords are stored as hashes, those of a list are, too', async () => {
  const [ada] = [sampleData().users].flat()
  const hashed = { ...Object(ada), id: 77, email: 'hash@example.com', password: HASH }
  const users = [ada, hashed]
  const { send } = await start({ data: { ...data(), users }, publicCollection: false, login: ['/login'] })
  const people = [
    { email: 'x@example.com', password: 'rye' },
    { email: 'y@example.com', password: 'oat' },
  ]
  const answer = await send('POST', '/users', people)
  expect(answer.status).toBe(201)
  expect(answer.text).not.toMatch(/rye|oat/)
  expect(answer.text.match(/\$2[aby]\$/g)).toHaveLength(2)
  expect((await send('POST', '/login', { email: 'y@example.com', password: 'oat' })).status).toBe(200)
})

/** Of any password. */
const HASH = '$2b$04$abcdefghijklmnopqrstuuK7ZKj1zOe9QmGtW2rYc1mX7oY0m4cWa'
