import type { RequestHandler } from 'express'
import singular from 'json-server/lib/server/router/singular'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { serveApp } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, askJson, serve } from '../../support/http'

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

test.each<[before: string | string[] | undefined, page: string, created: string, list: string | undefined]>([
  [undefined, 'X-Total-Count, Link', 'Location', undefined],
  ['X-Stamp', 'X-Total-Count, Link, X-Stamp', 'Location, X-Stamp', 'X-Stamp'],
  // As cors writes it.
  ['X-Stamp,Link', 'X-Total-Count, Link, X-Stamp', 'Location, X-Stamp, Link', 'X-Stamp,Link'],
  [['Link', 'X-Stamp'], 'X-Total-Count, Link, X-Stamp', 'Location, Link, X-Stamp', 'Link, X-Stamp'],
])(
  'the headers %j that a middleware lets pages of other origins read stay',
  async (before, page, created, list) => {
    const expose: RequestHandler = (_request, response, next) => {
      if (before !== undefined) response.setHeader('Access-Control-Expose-Headers', before)
      next()
    }
    const server = await serveApp({ data: sampleData(), allow: 'all', middlewares: [expose] })
    const answers = [
      await ask(server.url, { path: '/posts?_page=1' }),
      await askJson(server.url, { method: 'POST', path: '/posts', body: {} }),
      await ask(server.url, { path: '/posts' }),
      await ask(server.url, { path: '/posts?_page=1&_one' }),
    ]
    await server.close()
    const exposed = answers.map(({ headers }) => headers['access-control-expose-headers'])
    expect(exposed).toEqual([page, created, list, list])
  },
)
