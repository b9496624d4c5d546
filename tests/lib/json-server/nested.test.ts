import { MemoryData } from '../../../lib/data/data-source'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { ask, question } from '../../support/http'

const data = () => ({
  users: [
    {
      id: 1,
      name: 'Ada',
      address: { city: 'Bonn', geo: { lat: 1 } },
      orders: [
        { id: 7, title: 'B', items: [{ id: 1, quantity: 2 }] },
        { id: 8, title: 'A' },
      ],
      tags: ['a'],
      notes: [],
      parts: [{ name: 'no id' }],
      'a.b': [{ id: 1, dot: true }],
      'a/b': { slash: true },
      'x y': { space: true },
      0: { zero: true },
      constructor: { own: true },
    },
    { id: 2, orders: null, Case: { upper: true } },
    { id: 3, notes: ['text'], unlike: {} },
  ],
  posts: [{ id: 1, userId: 1 }, { id: 2 }],
  comments: [
    { id: 1, postId: 1, replies: [{ id: 5 }] },
    { id: 2, postId: 2 },
  ],
  settings: { theme: { color: 'red' }, users: [{ id: 1, inner: true }], posts: { inner: true } },
})

/** Sends one request after the other to a server with this data: the status and the body of each response. */
async function exchange(lines: readonly string[], options: Partial<AppOptions> = {}) {
  const source = new MemoryData(data())
  const server = await serveApp({ data: source, allow: 'all', ...options })
  const answers: { status: number; body: unknown; headers: object }[] = []
  for (const line of lines) {
    const { status, text, headers } = await ask(server.url, question(line))
    answers.push({ status, body: text === '' ? undefined : JSON.parse(text), headers })
  }
  await server.close()
  return { answers, state: source.state }
}

async function answerTo(line: string, options?: Partial<AppOptions>) {
  const { answers } = await exchange([line], options)
  return answers[0]
}

const [ada] = data().users

test.each([
  // A list
  ['GET /users/1/orders', 200, ada?.orders],
  ['GET /users/1/orders/', 200, ada?.orders],
  ['HEAD /users/1/orders', 200, undefined],
  ['GET /users/1/orders?title=A', 200, [ada?.orders?.[1]]],
  ['GET /users/1/orders?_sort=title&_limit=1', 200, [ada?.orders?.[1]]],
  ['GET /users/1/orders?q=b', 200, [ada?.orders?.[0]]],
  ['GET /users/1/orders?id_gt=7', 200, [ada?.orders?.[1]]],
  ['POST /users/1/orders {"a": 1}', 201, { a: 1, id: 9 }],
  ['POST /users/1/orders {"id": 7}', 409, expect.anything()],
  ['POST /users/1/orders [1]', 400, expect.anything()],
  ['DELETE /users/1/orders', 404, {}],
  // An element
  ['GET /users/1/orders/7', 200, ada?.orders?.[0]],
  ['PUT /users/1/orders/7 {"a": 1}', 200, { a: 1, id: 7 }],
  ['PATCH /users/1/orders/7 {"a": 1}', 200, { ...ada?.orders?.[0], a: 1 }],
  ['DELETE /users/1/orders/7', 200, {}],
  ['DELETE /users/1/orders/9', 404, {}],
  ['GET /users/1/orders/7/items/1', 200, { id: 1, quantity: 2 }],
  ['PATCH /users/1/orders/7/items/1 {"a": 1}', 200, { id: 1, quantity: 2, a: 1 }],
  // An object
  ['GET /users/1/address', 200, ada?.address],
  ['GET /users/1/address/geo', 200, { lat: 1 }],
  ['PUT /users/1/address {"a": 1}', 200, { a: 1 }],
  ['PATCH /users/1/address {"a": 1}', 200, { ...ada?.address, a: 1 }],
  ['POST /users/1/address {"a": 1}', 201, { a: 1 }],
  ['DELETE /users/1/address', 404, {}],
  ['GET /settings/theme', 200, { color: 'red' }],
  ['PUT /settings/theme {"a": 1}', 200, { a: 1 }],
  ['PATCH /settings/theme {"a": 1}', 200, { color: 'red', a: 1 }],
  ['POST /settings/theme {"a": 1}', 201, { a: 1 }],
  // A list that is missing or null here
  ['GET /users/2/orders', 200, []],
  ['GET /users/3/orders', 200, []],
  ['POST /users/2/orders {"a": 1}', 201, { a: 1, id: 1 }],
  ['POST /users/3/orders {"a": 1}', 201, { a: 1, id: 1 }],
  ['GET /users/1/orders/8/items', 200, []],
  ['POST /users/1/orders/8/items {"a": 1}', 201, { a: 1, id: 1 }],
  ['PUT /users/2/orders {"a": 1}', 404, {}],
  ['GET /users/2/orders/7', 404, {}],
  ['GET /users/2/tags', 200, []],
  ['POST /users/2/tags {"a": 1}', 400, expect.anything()],
  ['POST /users/1/notes {"a": 1}', 400, expect.anything()],
  ['GET /users/2/address', 404, {}],
  ['PUT /users/2/address {"a": 1}', 404, {}],
  // A list of texts
  ['GET /users/1/tags', 200, ['a']],
  ['POST /users/1/tags {"a": 1}', 400, expect.anything()],
  ['POST /users/1/parts {"a": 1}', 201, expect.objectContaining({ a: 1 })],
  // A text, a number, an element without an id, an index
  ['GET /users/1/name', 404, {}],
  ['GET /users/1/id', 404, {}],
  ['GET /users/1/parts/0', 404, {}],
  ['GET /users/1/tags/0', 404, {}],
  ['PUT /users/1/tags/0 {"a": 1}', 404, {}],
  ['GET /users/1/tags/a', 404, {}],
  ['GET /users/9/orders', 404, {}],
  ['GET /users/1/nothing', 404, {}],
  ['GET /users/1/orders/7/title', 404, {}],
  // A relation
  ['GET /posts/1/comments/1', 200, { id: 1, postId: 1, replies: [{ id: 5 }] }],
  ['GET /posts/1/comments/1?_expand=post', 200, expect.objectContaining({ post: { id: 1, userId: 1 } })],
  ['GET /posts/1/comments/2', 404, {}],
  ['GET /settings/1/comments/1', 404, {}],
  ['PATCH /posts/1/comments/1 {}', 404, {}],
  ['DELETE /posts/1/comments/1', 404, {}],
  ['GET /posts/1/comments/1/replies', 404, {}],
  ['GET /comments/1/replies', 200, [{ id: 5 }]],
  // A name at the top comes first in this place, and in no other
  ['GET /users/1/posts', 200, [{ id: 1, userId: 1 }]],
  ['GET /users/1/settings', 200, data().settings],
  ['GET /settings/theme/posts', 200, data().posts],
  ['GET /settings/users', 200, [{ id: 1, inner: true }]],
  ['GET /settings/users/1', 200, { id: 1, inner: true }],
  ['GET /settings/posts', 200, { inner: true }],
  // Names
  ['GET /users/1/a.b', 200, [{ id: 1, dot: true }]],
  ['PATCH /users/1/a.b/1 {"a": 1}', 200, { id: 1, dot: true, a: 1 }],
  ['GET /users/1/a%2Fb', 200, { slash: true }],
  ['PATCH /users/1/x%20y {"a": 1}', 200, { space: true, a: 1 }],
  ['GET /users/1/%6Frders', 200, ada?.orders],
  ['GET /users/1/0', 200, { zero: true }],
  ['GET /users/1/constructor', 200, { own: true }],
  ['GET /users/2/constructor', 404, {}],
  ['GET /users/2/__proto__', 404, {}],
  ['POST /users/2/__proto__ {"a": 1}', 404, {}],
  ['GET /users/2/Case', 200, { upper: true }],
  ['GET /users/2/case', 404, {}],
  ['GET /Users/1/orders', 200, ada?.orders],
  ['GET /users/1//orders', 404, {}],
  ['GET /users/1/orders%2F7', 404, {}],
  // Relations of json-server do nothing in a record
  ['GET /users/1/orders?_embed=items', 200, ada?.orders],
  ['GET /users/1/orders/7?_expand=user', 200, ada?.orders?.[0]],
])('%s', async (line, status, body) => {
  expect(await answerTo(line)).toMatchObject({ status, body })
})
