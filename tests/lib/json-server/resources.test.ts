import jsonServer from 'json-server'
import { MemoryData } from '../../../lib/data/data-source'
import { sampleData } from '../../support/helpers'
import { testApps } from '../../support/test-app'

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
