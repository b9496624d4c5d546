import type { RequestHandler } from 'express'
import type { Data } from '../../lib/data/valid-data'
import { serveApp } from '../support/app'
import { type Answer, ask, json, question, withHeaders } from '../support/http'
import { servePlain } from '../support/json-server'
import { STACK } from './refused-requests'
import {
  data,
  expectSentence,
  expectShown,
  expectToWork,
  nested,
  record,
  SECRET,
  servers,
  start,
  startingServers,
  startOurs,
  tokenOf,
} from './traps'

startingServers()

/** Whether json-server takes a body of this depth, and can then not list the collection, nor after a restart. */
async function spoils(depth: number): Promise<boolean> {
  const stored = data()
  const server = await servePlain(stored)
  const created = await ask(server.url, question(nested(depth)))
  const list = await ask(server.url, { path: '/posts' })
  const restarted = await servePlain(record(JSON.parse(JSON.stringify(stored))))
  const again = await ask(restarted.url, { path: '/posts' })
  servers.push(server, restarted)
  return created.status === 201 && list.status === 500 && again.status === 500
}

describe('requests that are refused, because json-server fails on them or corrupts the data', () => {
  it('POST /posts with a body nested deeper than 100 levels', async () => {
    const ours = await startOurs()
    for (const depth of [101, 3000, 100_000]) {
      const answer = await ours(nested(depth))
      expect(answer.status).toBe(400)
      expectSentence(answer)
    }
    expect((await ours(nested(100))).status).toBe(201)
    await expectToWork(ours)
  })

  it('a body so deep that the list of json-server fails from then on, also after a restart', async () => {
    // How deep is too deep for json-server depends on the machine's stack.
    let depth: number | undefined
    for (const tried of [2500, 2000, 3000, 3500, 1500])
      if (depth === undefined && (await spoils(tried))) depth = tried
    if (depth === undefined) throw new Error('No body spoils the list of json-server.')
    const ours = await startOurs()
    expect((await ours(nested(depth))).status).toBe(400)
    await expectToWork(ours)
  })

  describe('_like', () => {
    const endless = '%5E(a%2B)%2B%24'
    const withTitle = (title: string): Data => ({ ...data(), posts: [{ id: 1, title }] })

    it.each([
      { title: 'an endless pattern', query: `title_like=${endless}` },
      { title: 'a long pattern', query: `title_like=${'%5Cw%7B1,3%7D'.repeat(1000)}` },
      { title: 'word boundaries', query: `title_like=${'(?:%5Cb)%7B3%7D'.repeat(100)}` },
    ])('$title', async ({ query }) => {
      // With each further letter, json-server would do nothing else for twice as long.
      const { ours } = await start(withTitle(`${'a'.repeat(60)}!`))
      const answer = await ours(`GET /posts?${query}`)
      expect(answer.status).toBe(400)
      expectSentence(answer)
      await expectToWork(ours)
    })
  })
})

describe('where json-server responds, but wrongly', () => {
  const post = { id: 1, title: 'Hello', views: 100 }
  const comment = { id: 1, body: 'nice', postId: 1 }
  const orphan = { id: 3, body: 'lost', postId: 99 }
  const nullKey = { id: 4, body: 'no post', postId: null }
  const keyless = { id: 5, body: 'no key' }
  const withComments = (...others: object[]): Data => ({ ...data(), comments: [comment, ...others] })

  interface Answered {
    request: string
    given: Data
    plain: readonly [status: number, body: RegExp]
    ours: unknown
  }

  const answered: Answered[] = [
    // Parents that a record does not refer to
    ...[
      { request: 'GET /comments?_expand=post', ours: [{ ...comment, post }, keyless, nullKey, orphan] },
      { request: 'GET /comments/4?_expand=post', ours: nullKey },
      { request: 'GET /comments/5?_expand=post', ours: keyless },
      { request: 'GET /posts?_expand=user', ours: data().posts },
    ].map(
      (row): Answered => ({ ...row, given: withComments(keyless, nullKey, orphan), plain: [500, STACK] }),
    ),
  ]

  it.each(answered)('$request', async ({ request, given, plain: expected, ours: rightly }) => {
    const { plain, ours } = await start(given)
    expectShown(await plain(request), expected)
    const answer = await ours(request)
    expect(answer.status).toBe(200)
    expect(json(answer)).toEqual(rightly)
    await expectToWork(ours)
  })

  it('_embed with another id property', async () => {
    const posts = [{ _id: 'a1' }]
    const comments = [{ _id: 1, post_id: 'a1' }]
    const options = { idProperty: '_id', foreignKeySuffix: '_id' }
    const { plain, ours } = await start({ posts, comments }, options)
    expectShown(await plain('GET /posts?_embed=comments'), [200, /"comments": \[\]/])
    expect(json(await ours('GET /posts?_embed=comments'))).toEqual([{ _id: 'a1', comments }])
  })

  it('_expand of a plural, where a list has the ids', async () => {
    const { plain, ours } = await start({ posts: [{ id: 1, tagIds: [2] }], tags: [{ id: 2 }] })
    expectShown(await plain('GET /posts?_expand=tags'), [500, STACK])
    expect(json(await ours('GET /posts?_expand=tags'))).toEqual([{ id: 1, tagIds: [2], tags: [{ id: 2 }] }])
  })

  it('POST where the next number is the id of another record, as a string', async () => {
    const { plain, ours } = await start({ ...data(), posts: [{ id: '8' }, { id: '10' }, { id: 9 }] })
    expectShown(await plain('POST /posts {}'), [500, STACK])
    const created = await ours('POST /posts {"title": "new"}')
    expect([created.status, json(created)]).toEqual([201, { title: 'new', id: 11 }])
    expect(created.headers.location).toMatch(/\/posts\/11$/)
    expect((await ours('DELETE /posts/11')).status).toBe(200)
    expect(json(await ours('GET /posts'))).toEqual([{ id: '8' }, { id: '10' }, { id: 9 }])
  })

  const first = { id: 6, postId: '1' }
  const second = { id: 7, postId: 2 }
  const others = [orphan, first, second, keyless]

  it.each([
    {
      request: 'DELETE /posts/99',
      statuses: [404, 404],
      given: others,
      left: [first, second, keyless],
      kept: others,
    },
    {
      request: 'DELETE /users/99',
      statuses: [404, 404],
      given: others,
      left: [first, second, keyless],
      kept: others,
    },
    {
      request: 'DELETE /users/1',
      statuses: [200, 200],
      given: others,
      left: [first, second, keyless],
      kept: others,
    },
    { request: 'DELETE /users/1', statuses: [500, 200], given: [nullKey], left: [nullKey], kept: [nullKey] },
    {
      request: 'DELETE /posts/1',
      statuses: [200, 200],
      given: others,
      left: [second, keyless],
      kept: [orphan, second, keyless],
    },
  ])('$request also removes exactly what refers to it', async ({ request, statuses, given, left, kept }) => {
    const { plain, ours } = await start({ ...data(), comments: given })
    expect([(await plain(request)).status, (await ours(request)).status]).toEqual(statuses)
    expect(json(await plain('GET /comments'))).toEqual(left)
    expect(json(await ours('GET /comments'))).toEqual(kept)
    await expectToWork(ours)
  })
})

describe('requests that would hang the server', () => {
  const endless = { length: Number.MAX_SAFE_INTEGER }

  it.each<{ request: string; shown: unknown }>([
    { request: 'GET /posts/1?_embed=posts[1]', shown: { id: 1, 'posts[1]': [] } },
    { request: 'GET /posts?_embed=posts[1]&_limit=1', shown: [{ id: 1, 'posts[1]': [] }] },
    { request: 'GET /posts/1?_embed=profile', shown: { id: 1, profile: [] } },
    { request: 'GET /posts/1?_embed=nothing&_embed=toString', shown: { id: 1, nothing: [], toString: [] } },
  ])('$request', async ({ request, shown }) => {
    const posts = [{ id: 1 }, { id: 2, ...endless }]
    const app = await serveApp({ data: { ...data(), posts, profile: endless }, secret: SECRET })
    servers.push(app)
    const answer = await ask(
      app.url,
      withHeaders(question(request), { Authorization: `Bearer ${tokenOf()}` }),
    )
    expect(answer.status).toBe(200)
    expect(json(answer)).toEqual(shown)
  })
})

describe('behaviour that is the same as in json-server', () => {
  it.each([
    { request: 'GET /users/1/posts', shown: data().posts },
    { request: 'GET /users/1/posts?_page=1', shown: data().posts },
    { request: 'GET /posts/1/comments', shown: [{ id: 1, body: 'nice', postId: 1 }] },
    { request: 'GET /posts/1/comments%2F', shown: [{ id: 1, body: 'nice', postId: 1 }] },
    { request: 'GET /POSTS/2/comments', shown: data().comments },
    { request: 'GET /posts/99/comments', shown: [] },
    { request: 'POST /posts/1/comments {"body": "new"}', shown: { id: 3, body: 'new', postId: '1' } },
    { request: 'POST /posts/99/comments {"postId": 1}', shown: { id: 3, postId: '99' } },
    { request: 'POST /posts/1/comments%2F {"body": "new"}', shown: { id: 3, body: 'new', postId: '1' } },
    { request: 'GET /posts?id[]=1&id[]=2', shown: data().posts },
    { request: 'GET /posts?title_like=%5EH&title_like=%5EW', shown: data().posts },
    { request: 'GET /words?_expand=nothing', shown: ['tea', null] },
    { request: 'GET /posts?title_like=%5Bl%5D%7B2%7D', shown: [{ id: 1, title: 'Hello', views: 100 }] },
  ])('$request', async ({ request, shown }) => {
    const { plain, ours } = await start({ ...data(), words: ['tea', null] })
    const [expected, answer] = [await plain(request), await ours(request)]
    expect(answer.status).toBe(expected.status)
    expect(answer.text).toBe(expected.text)
    expect(json(answer)).toEqual(shown)
    await expectToWork(ours)
  })
})

describe('X-HTTP-Method-Override', () => {
  const deletion = withHeaders(question('POST /posts/1 {}'), { 'X-HTTP-Method-Override': 'DELETE' })

  it('POST /posts/1 as DELETE: a middleware of the user sees the method that runs', async () => {
    const noDelete: RequestHandler = ({ method }, response, next) => {
      if (method === 'DELETE') response.status(403).json({ error: 'No.' })
      else next()
    }
    const { plain, ours } = await start(data(), { middlewares: [noDelete] })
    expect((await plain(deletion)).status).toBe(200)
    expect((await plain('GET /posts/1')).status).toBe(404)
    expect((await ours(deletion)).status).toBe(403)
    expect((await ours('GET /posts/1')).status).toBe(200)
  })

  it('read-only sees the method that runs', async () => {
    const { ours } = await start(data(), { readOnly: true })
    const reading = withHeaders(question('POST /posts/1 {}'), { 'X-HTTP-Method-Override': 'GET' })
    expect((await ours(reading)).status).toBe(200)
    const answer = await ours(deletion)
    expect(answer.status).toBe(403)
    expectSentence(answer)
  })
})

describe('delays', () => {
  /** The milliseconds of every timer that is set before the response; the test waits for none of them. */
  async function delaysOf(answer: () => Promise<Answer>): Promise<unknown[]> {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] })
    try {
      const setTimer = jest.spyOn(globalThis, 'setTimeout')
      let isAnswered = false
      const answered = answer().finally(() => {
        isAnswered = true
      })
      while (!isAnswered) {
        jest.advanceTimersToNextTimer()
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect((await answered).status).toBe(200)
      return setTimer.mock.calls.map(([, milliseconds]) => milliseconds)
    } finally {
      jest.useRealTimers()
    }
  }

  it.each([
    { request: 'GET /posts', onPlain: [1, 1], onOurs: [] },
    { request: 'PUT /profile {}', onPlain: [1, 1], onOurs: [] },
    { request: 'GET /posts?_delay=0', onPlain: [1000, 1], onOurs: [] },
    { request: 'GET /posts?_delay=5', onPlain: [5, 1], onOurs: [5] },
    { request: 'GET /posts?_delay=1000000000', onPlain: [1_000_000_000, 1], onOurs: [10_000] },
  ])('$request', async ({ request, onPlain, onOurs }) => {
    const { plain, ours } = await start()
    expect(await delaysOf(() => plain(request))).toEqual(onPlain)
    expect(await delaysOf(() => ours(request))).toEqual(onOurs)
  })
})
