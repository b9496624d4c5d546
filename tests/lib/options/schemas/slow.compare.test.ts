import { testApps } from '../../../support/app'
import { sampleData } from '../../../support/data'
import { json } from '../../../support/http'

const { start } = testApps()

const properties = {
  code: { type: 'string', pattern: '^(a+)+$' },
  list: { type: 'array', uniqueItems: true },
}
const list = Array.from({ length: 100_000 }, (_, b) => ({ b, a: 1 }))

test.each([
  ['a text that a pattern takes long for is', { code: `${'a'.repeat(50)}b` }, 422],
  ['such a text beside a long list is', { list, code: `${'a'.repeat(50)}b` }, 422],
  ['a long list beside a text that is compared at once is not', { list, code: 'aaa' }, 201],
])('%s refused', async (_title, body, status) => {
  const { send } = await start({ data: sampleData(), schemas: { posts: { properties } } })
  const answer = await send('POST', '/posts', body)
  expect(answer.status).toBe(status)
  if (status === 422) expect(json(answer)).toMatchObject({ errors: { code: [expect.any(String)] } })
})

test('of several records at once a list whose patterns take long is refused, and none of it is stored', async () => {
  const tasks = { properties: { title: { pattern: '(a+)+$' } } }
  const { send } = await start({ data: { ...sampleData(), tasks: [] }, schemas: { tasks } })
  const body = Array.from({ length: 3000 }, () => ({ title: `${'a'.repeat(19)}!a` }))
  // On a busy machine, one of them alone takes too long.
  expect([400, 422]).toContain((await send('POST', '/tasks', body)).status)
  expect(json(await send('GET', '/tasks'))).toEqual([])
})

test('4 MB of wrong entries: 422 with one error, under 20 kB', async () => {
  const posts = { properties: { tags: { minItems: 3, items: { type: 'string' } } } }
  const { send } = await start({
    data: sampleData(),
    schemas: { posts },
    timeStamps: ['createdAt', 'updatedAt'],
  })
  const tags = Array.from({ length: 1_900_000 }, () => 1)
  const { status, text } = await send('POST', '/posts', { tags })
  expect(status).toBe(422)
  expect(Object.keys(JSON.parse(text).errors)).toHaveLength(1)
  expect(text.length).toBeLessThan(20_000)
})
