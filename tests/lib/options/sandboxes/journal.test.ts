import { type Entry, Journal } from '../../../../lib/options/sandboxes/journal'

const KILOBYTE = 1024
const sent = (path: string) => ({ method: 'POST', path, query: {} })

/** Adds a request, and then its body. */
function add(journal: Journal, path: string, body: unknown, query = {}): Entry {
  const request = { ...sent(path), query }
  const entry = journal.add(request)
  journal.keepBody(entry, request, body)
  return entry
}

function filled(count: number, body: unknown): Journal {
  const journal = new Journal()
  for (let index = 0; index < count; index += 1) add(journal, `/${index}`, body)
  return journal
}

test('the last 1,000 are kept', () => {
  const paths = filled(1200, {})
    .list()
    .map(({ path }) => path)
  expect(paths).toHaveLength(1000)
  expect([paths[0], paths.at(-1)]).toEqual(['/200', '/1199'])
})

test('the last 1 MB is kept', () => {
  expect(filled(200, 'x'.repeat(10 * KILOBYTE)).list()).toHaveLength(101)
})

test.each([
  ['1 MB of letters', 'x'.repeat(KILOBYTE * KILOBYTE)],
  ['a third as many characters of three bytes', '€'.repeat((KILOBYTE * KILOBYTE) / 3)],
])('one that is too large is kept without its body, and pushes no other out: %s', (_why, body) => {
  const journal = filled(3, { a: 1 })
  add(journal, '/large', body)
  expect(journal.list()).toHaveLength(4)
  expect(journal.list().at(-1)).toStrictEqual({ ...sent('/large'), status: 0, truncated: true })
})

test('a request may take 1 MB to the last byte', () => {
  const journal = new Journal()
  const size = JSON.stringify({ ...sent('/'), body: '' }).length
  for (const [more, isKept] of [
    [0, true],
    [1, false],
  ] as const) {
    const text = 'x'.repeat(KILOBYTE * KILOBYTE - size + more)
    add(journal, '/', text)
    expect(journal.list().at(-1)).toEqual({
      ...sent('/'),
      status: 0,
      ...(isKept ? { body: text } : { truncated: true }),
    })
  }
})

test('a long path and a long query count as well', () => {
  for (const long of [
    { path: `/${'x'.repeat(10 * KILOBYTE)}` },
    { query: { q: 'x'.repeat(10 * KILOBYTE) } },
  ]) {
    const journal = new Journal()
    for (let count = 0; count < 200; count += 1) journal.add({ ...sent('/'), ...long })
    expect(journal.list()).toHaveLength(101)
  }
})

test('the body of a removed request pushes no other out', () => {
  const journal = new Journal()
  const gone = journal.add(sent('/gone'))
  for (let count = 0; count < 101; count += 1) add(journal, '/', 'x'.repeat(10 * KILOBYTE))
  add(journal, '/', 'x'.repeat(20 * KILOBYTE))
  const kept = journal.list()
  expect(kept).not.toContainEqual(expect.objectContaining({ path: '/gone' }))
  journal.keepBody(gone, sent('/gone'), 'x'.repeat(500 * KILOBYTE))
  expect(journal.list()).toEqual(kept)
})

test('a body that is changed later is kept as it was', () => {
  const journal = new Journal()
  const body = { title: 'sent' }
  add(journal, '/posts', body)
  body.title = 'changed'
  expect(journal.list()).toMatchObject([{ body: { title: 'sent' } }])
})

test('what has the name of a secret is blanked, at any depth, in bodies and queries', () => {
  const journal = new Journal()
  const value = (secret: unknown) => ({
    name: 'Ada',
    password: secret,
    users: [{ newPassword: secret, access_token: [secret], pin: secret, tags: ['x'] }],
  })
  const blanked = value('***')
  for (const user of blanked.users) Object.assign(user, { access_token: '***' })
  add(journal, '/', value({ a: 'x' }), value('x'))
  expect(journal.list()).toMatchObject([{ query: blanked, body: blanked }])
})

const itself: unknown[] = []
itself.push(itself)

test.each<[title: string, body: unknown]>([
  ['200,000 nested arrays', JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
  ['one that contains itself', itself],
  ['one that JSON cannot hold', { views: 1n }],
])('a body is left out that cannot be kept: %s', (_title, body) => {
  const journal = new Journal()
  add(journal, '/', body)
  expect(journal.list()).toEqual([{ ...sent('/'), status: 0, truncated: true }])
})

test('the path as it was sent and the rewritten one select an entry', () => {
  const journal = new Journal()
  journal.add({ ...sent('/api/notes'), rewritten: '/notes' })
  journal.add(sent('/posts'))
  for (const path of ['/api/notes', '/notes', '/:name/notes', '/api/*'])
    expect(journal.list({ path })).toMatchObject([{ path: '/api/notes', rewritten: '/notes' }])
  expect(journal.list({ path: '/posts' })).toEqual([expect.not.objectContaining({ rewritten: '/posts' })])
})

test('a method is looked for in any case', () => {
  const journal = new Journal()
  journal.add(sent('/posts'))
  expect(journal.list({ method: 'post' })).toHaveLength(1)
  expect(journal.list({ method: 'get' })).toEqual([])
})
