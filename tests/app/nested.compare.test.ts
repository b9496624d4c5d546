import fc from 'fast-check'
import { MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { type Answer, ask, type Question, question, type TestServer } from '../support/http'
import { servePlain } from '../support/json-server'
import { runs } from '../support/random'
import { changedData, requests } from './random-requests'

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function served(server: Promise<TestServer>): Promise<string> {
  const { url } = await server.then((one) => {
    servers.push(one)
    return one
  })
  return url
}

/** Data with lists and objects at several depths, some of which are called as others are at the top. */
function nestedData(): Data {
  return {
    ...sampleData(),
    cars: [
      {
        id: 1,
        seats: [1, 3],
        owner: { name: 'Ada', posts: [{ id: 1 }] },
        rides: [{ id: 1, stops: [{ id: 2, at: 'Bonn' }] }, { id: '2' }, { at: 'no id' }],
        posts: [{ id: 9 }],
        'my list': [{ id: 1 }],
        'a.b': { c: 1 },
      },
      { id: 2, rides: null },
    ],
    config: { users: [{ id: 1 }], theme: { color: 'red' }, posts: { a: 1 }, 1: { one: true } },
    'my list': [{ id: 1 }],
    Cars: [{ id: 3, extras: [{ id: 1 }] }],
  }
}

const NAMES = [
  ...[
    'cars',
    'Cars',
    'CARS',
    'posts',
    'users',
    'comments',
    'config',
    'profile',
    'my%20list',
    'db',
    '__proto__',
  ],
  ...[
    'rides',
    'Rides',
    'stops',
    'owner',
    'seats',
    'theme',
    'name',
    'a.b',
    'constructor',
    'nothing',
    'length',
  ],
  ...[
    'p%6Fsts',
    'posts%2F1',
    'posts%3Fq=1',
    'posts%23',
    'posts%20',
    '%20posts',
    'posts%5C1',
    '..',
    '.',
    '%',
    '',
  ],
  ...['1', '2', '3', '9', 'a1b2', '0', '-1', '%31'],
]
const QUERIES = [
  '',
  '',
  '',
  '?q=a',
  '?id=1',
  '?_page=1&_limit=1',
  '?_sort=id&_order=desc',
  '?_embed=posts',
  '?_expand=user',
]

const path = fc
  .tuple(
    fc
      .tuple(
        fc.constantFrom(
          [],
          ['cars', '1'],
          ['cars', '1', 'rides', '1'],
          ['Cars', '3'],
          ['config'],
          ['posts', '1'],
        ),
        fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
      )
      .map(([first, rest]) => [...first, ...rest]),
    fc.constantFrom('', '', '', '/'),
    fc.constantFrom(...QUERIES),
  )
  .map(([parts, end, query]) => `/${parts.join('/')}${end}${query}`)

const anyRequest = fc
  .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), path)
  .map(([method, target]) =>
    question(/^P/.test(method) ? `${method} ${target} {"a": 1}` : `${method} ${target}`),
  )

/** What a client sees, where two servers have other addresses. */
function seen({ status, headers, text }: Answer, url: string, prefix = ''): object {
  const plain = (value: unknown) => String(value).replaceAll(`${url}${prefix}`, '')
  const { link, location, allow, 'x-total-count': total, 'content-type': type } = headers
  return { status, text, total, type, allow, link: plain(link), location: plain(location) }
}

test('beside json-server, everything that it has is the same, to the byte', async () => {
  // It prints the stacks of its errors.
  const printed = jest.spyOn(console, 'error').mockImplementation()
  let found = 0
  let inside = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { minLength: 40, maxLength: 40 }), async (questions) => {
      const plain = await served(servePlain(nestedData()))
      const source = new MemoryData(nestedData())
      const ours = await served(serveApp({ data: source, allow: 'all' }))
      for (const asked of questions) {
        const [theirs, own] = await Promise.all([ask(plain, asked), ask(ours, asked)])
        expect(own.status).toBeLessThan(500)
        if (theirs.status === 404 && own.status < 300) inside += 1
        if (theirs.status !== 404 && theirs.status < 500) {
          found += 1
          expect(seen(own, ours)).toEqual(seen(theirs, plain))
        }
        // What json-server has not done, or has done wrong, is not there for the next request.
        if (asked.method !== 'GET') source.replace(JSON.parse((await ask(plain, { path: '/db' })).text))
      }
      for (const server of servers.splice(0)) await server.close()
    }),
    { ...runs(50), seed: 73, endOnFailure: true },
  )
  printed.mockRestore()
  expect(found).toBeGreaterThan(100)
  expect(inside).toBeGreaterThan(20)
}, 3_600_000)

describe('random requests inside of the data have the same responses as at its top', () => {
  const PLACES: Record<string, (inner: Data) => Data> = {
    '/boxes/1': (inner) => ({ boxes: [{ id: 0 }, { id: 1, ...inner }, { id: 2 }] }),
    '/boxes/1/more/b/deep': (inner) => ({ boxes: [{ id: 1, more: [{ id: 'b', deep: inner }] }] }),
    '/box': (inner) => ({ box: inner }),
    '/box/inner': (inner) => ({ box: { inner } }),
  }

  /** Whether a record leads to others: that is json-server's at the top alone. */
  const isAlone = ({ path: target }: Question) => !/_embed|posts\/\d+\/comments/.test(target)

  test.each(Object.keys(PLACES))('%s', async (prefix) => {
    await fc.assert(
      fc.asyncProperty(requests, async (questions) => {
        const top = await served(serveApp({ data: changedData(), allow: 'all', cascade: false }))
        const data = PLACES[prefix]?.(changedData()) ?? {}
        const inside = await served(serveApp({ data, allow: 'all' }))
        const last = ['/posts', '/comments'].map((target) => ({ path: target }))
        for (const asked of [...questions.filter(isAlone), ...last]) {
          const [expected, given] = await Promise.all([
            ask(top, asked),
            ask(inside, { ...asked, path: `${prefix}${asked.path}` }),
          ])
          expect(expected.status).not.toBe(500)
          expect(seen(given, inside, prefix)).toEqual(seen(expected, top))
        }
        for (const server of servers.splice(0)) await server.close()
      }),
      // Of some 45 requests each.
      { ...runs(3), seed: 73, endOnFailure: true },
    )
  })
})

describe('without a token, of thousands of requests inside of the data', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const FIRST = [
    'cars/1',
    'Cars/3',
    'config',
    'users/1',
    'posts/1',
    'blogs/1',
    'blog/1',
    'my%20list/1',
    'cars/%31',
  ]
  const THEN = [
    'rides',
    'r%69des',
    'rides/',
    'rides/1',
    'rides/1/stops',
    'rides/1/stops/2',
    'owner',
    'owner/posts',
  ]
  const LAST = [
    'theme',
    'users',
    'users/1',
    'posts',
    'posts/9',
    'comments',
    'comments/1',
    'seats',
    'name',
    'a.b',
    ':id',
  ]
  const OVERRIDES = ['', 'GET', 'PUT', 'PATCH', 'DELETE', 'HEAD']

  function* everyRequest(): Generator<Question> {
    for (const first of FIRST)
      for (const rest of [...THEN, ...LAST])
        for (const query of ['', '?_method=DELETE', '?_embed=posts'])
          for (const method of METHODS)
            for (const override of method === 'POST' ? OVERRIDES : ['']) {
              const asked = question(
                `${method} /${first}/${rest}${query}${/^P/.test(method) ? ' {"a": 1}' : ''}`,
              )
              yield override === ''
                ? asked
                : { ...asked, headers: { ...asked.headers, 'X-HTTP-Method-Override': override } }
            }
  }

  test.each<[allow: string[], open: string[]]>([
    [[], []],
    [
      [
        'GET /cars/1/rides',
        'GET /cars/1/rides/:id',
        'GET /config/theme',
        'GET /cars/1/posts',
        'GET /posts/1/comments/1',
      ],
      ['/cars/1/rides', '/cars/1/rides/1', '/config/theme'],
    ],
    [
      ['GET /cars', 'GET /cars/:id', 'GET /rides', 'GET /rides/:id', 'GET /config/:id', 'GET /cars/1/:id'],
      [],
    ],
  ])(
    '%j opens %j alone',
    async (allow, open) => {
      const source = new MemoryData(nestedData())
      const url = await served(serveApp({ data: source, allow }))
      const before = source.state
      let refused = 0
      for (const asked of everyRequest()) {
        const { status } = await ask(url, asked)
        if (status === 200) expect(open).toContain(asked.path.split('?')[0])
        else expect([401, 404]).toContain(status)
        if (status === 401) refused += 1
      }
      expect(refused).toBeGreaterThan(4000)
      expect(source.state).toBe(before)
    },
    120_000,
  )
})
