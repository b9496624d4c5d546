import jsonServer from 'json-server'
import { MemoryData } from '../../../lib/data/data-source'
import { testApps } from '../../support/app'
import { sampleData } from '../../support/data'

const { start } = testApps()

afterEach(() => jest.restoreAllMocks())

test.each([false, true])('new routes are made only for other resources (shared: %s)', async (isShared) => {
  const data = new MemoryData(sampleData(), { isShared })
  const { send } = await start({ data })
  const make = jest.spyOn(jsonServer, 'router')
  expect((await send('GET', '/posts')).status).toBe(200)
  expect((await send('POST', '/posts', {})).status).toBe(201)
  data.replace(sampleData())
  expect((await send('GET', '/posts')).status).toBe(200)
  expect(make).not.toHaveBeenCalled()

  data.replace({ ...sampleData(), fresh: [{ id: 1 }] })
  for (const path of ['/fresh/1', '/fresh/1', '/posts']) expect((await send('GET', path)).status).toBe(200)
  expect(make).toHaveBeenCalledTimes(1)
})

test('too many long filters for a large list are refused', async () => {
  const posts = Array.from({ length: 10_000 }, (_, id) => ({ id, a: 1 }))
  const { send } = await start({ data: { ...sampleData(), posts } })
  const filters = Array.from({ length: 60 }, (_, index) => `a.${index}${'x'.repeat(236)}=1`)
  expect((await send('GET', `/posts?${filters.join('&')}`)).status).toBe(400)
  expect((await send('GET', `/posts?_limit=1&${filters[0]}`)).status).toBe(200)
})
