import { createApp } from '../../../../server'
import { askJson, json, serve } from '../../../support/http'

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
  const app = createApp({ data: { posts: [] }, schemas: { posts: { properties } }, allow: 'all', log: false })
  const server = await serve(app)
  const answer = await askJson(server.url, { method: 'POST', path: '/posts', body })
  expect(answer.status).toBe(status)
  if (status === 422) expect(json(answer)).toMatchObject({ errors: { code: [expect.any(String)] } })
  await server.close()
})
