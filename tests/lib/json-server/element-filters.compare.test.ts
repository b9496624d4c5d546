import { createApp } from '../../../server'
import { ask, serve } from '../../support/http'

test('a pattern that takes too long is 400', async () => {
  const data = { mails: [{ id: 1, to: [{ name: `${'a'.repeat(40)}!` }] }] }
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  expect((await ask(server.url, { path: '/mails?to.name_like=^(a%2B)%2B$' })).status).toBe(400)
  await server.close()
})
