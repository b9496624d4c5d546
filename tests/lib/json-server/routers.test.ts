import singular from 'json-server/lib/server/router/singular'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { ask, serve } from '../../support/http'

jest.mock('json-server/lib/server/router/singular', () =>
  jest.fn(jest.requireActual('json-server/lib/server/router/singular')),
)

test('a router is made once for a resource, and again when a collection becomes singular', async () => {
  const data = new MemoryData({ settings: {}, first: [] })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  const read = (path: string) => ask(server.url, { path })
  for (let round = 0; round < 2; round += 1) expect((await read('/settings')).status).toBe(200)
  expect(singular).toHaveBeenCalledTimes(1)
  expect((await read('/first/1')).status).toBe(404)
  data.replace({ settings: {}, first: { id: 1 } })
  for (const path of ['/first', '/settings']) expect((await read(path)).status).toBe(200)
  expect(singular).toHaveBeenCalledTimes(2)
  await server.close()
})
