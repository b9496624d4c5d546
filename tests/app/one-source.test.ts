import { MemoryData } from '../../lib/data/data-source'
import { testApps } from '../support/app'
import { sampleData } from '../support/data'
import { json } from '../support/http'

const { start } = testApps()

test('many applications over one source see the same data, and none of them listens to it', async () => {
  const data = new MemoryData(sampleData())
  const options = { data, docs: true, sandboxes: true, publicCollection: false } as const
  const apps = []
  for (let count = 0; count < 11; count += 1) apps.push(await start(options))
  for (const [index, app] of apps.entries())
    expect((await app.send('POST', '/tags', { id: `from-${index}` })).status).toBe(201)
  const seen = await Promise.all(apps.map(async (app) => json(await app.send('GET', '/tags'))))
  for (const tags of seen) expect(tags).toEqual(data.state.tags)
  expect(data.state.tags).toHaveLength(12)
  // A source would keep every application that listens, and Node warns of more than ten.
  expect(data.eventNames()).toEqual([])
})
