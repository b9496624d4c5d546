import { Journal } from '../../../lib/sandboxes/journal'

const KILOBYTE = 1024
const asked = (path: string) => ({ method: 'POST', path, query: {} })

function filled(count: number, body: unknown): Journal {
  const journal = new Journal(() => true)
  for (let index = 0; index < count; index += 1) journal.keepBody(journal.add(asked(`/${index}`)), body)
  return journal
}

test('the last 1,000 are kept', () => {
  const paths = filled(1200, {})
    .list()
    .map(({ path }) => path)
  expect(paths).toHaveLength(1000)
  expect([paths[0], paths.at(-1)]).toEqual(['/200', '/1199'])
})

test('the last 1 MB is kept, and its size is known', () => {
  const journal = filled(200, 'x'.repeat(10 * KILOBYTE))
  expect(journal.list()).toHaveLength(99)
  expect(journal.size).toBeLessThanOrEqual(KILOBYTE * KILOBYTE)
  expect(journal.size).toBeGreaterThan(99 * 10 * KILOBYTE)
})

test.each(['x'.repeat(KILOBYTE * KILOBYTE), '€'.repeat((KILOBYTE * KILOBYTE) / 2)])(
  'one that is too large is kept without its body, and pushes no other out',
  (body) => {
    const journal = filled(3, { a: 1 })
    journal.keepBody(journal.add(asked('/large')), body)
    expect(journal.list()).toHaveLength(4)
    expect(journal.list().at(-1)).toStrictEqual({ ...asked('/large'), status: 0, truncated: true })
  },
)

test('a request may take 1 MB to the last byte', () => {
  const journal = new Journal(() => true)
  journal.add(asked('/'))
  const { size } = journal
  for (const [more, isKept] of [
    [0, true],
    [1, false],
  ] as const) {
    const text = 'x'.repeat(KILOBYTE * KILOBYTE - size - 2 + more)
    journal.keepBody(journal.add(asked('/')), text)
    expect(journal.list().at(-1)).toEqual({
      ...asked('/'),
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
    const journal = new Journal(() => true)
    for (let count = 0; count < 200; count += 1) journal.add({ ...asked('/'), ...long })
    expect(journal.size).toBeGreaterThan(0.9 * KILOBYTE * KILOBYTE)
    expect(journal.list().length).toBeLessThan(103)
  }
})

test('the body of a removed request pushes no other out', () => {
  const journal = new Journal(() => true)
  const gone = journal.add(asked('/gone'))
  for (let count = 0; count < 99; count += 1)
    journal.keepBody(journal.add(asked('/')), 'x'.repeat(10 * KILOBYTE))
  journal.keepBody(journal.add(asked('/')), 'x'.repeat(20 * KILOBYTE))
  const kept = journal.list()
  expect(kept).not.toContainEqual(expect.objectContaining({ path: '/gone' }))
  journal.keepBody(gone, 'x'.repeat(500 * KILOBYTE))
  expect(journal.list()).toEqual(kept)
})

test('if the server has no more room, the oldest are removed', () => {
  let left = 2000
  const journal: Journal = new Journal((added) => journal.size + added <= left)
  for (let index = 0; index < 50; index += 1) journal.keepBody(journal.add(asked(`/${index}`)), 'text')
  expect(journal.size).toBeLessThanOrEqual(2000)
  expect(journal.list().at(-1)?.path).toBe('/49')
  left = 0
  journal.add(asked('/none'))
  expect(journal.list()).toEqual([])
  expect(journal.size).toBe(0)
})

test('a body that is changed later is kept as it was', () => {
  const journal = new Journal(() => true)
  const body = { title: 'sent' }
  journal.keepBody(journal.add(asked('/posts')), body)
  body.title = 'changed'
  expect(journal.list()).toMatchObject([{ body: { title: 'sent' } }])
})
