import type { RequestHandler } from 'express'
import { MemoryData } from '../../../lib/data/data-source'
import { textOfPage } from '../../../lib/data/record-texts'
import { testApps } from '../../support/app'
import { ADA, sampleData } from '../../support/data'

describe('the text of a page', () => {
  test.each([
    [
      'records',
      [
        { id: 1, tags: ['a', { b: [] }] },
        { id: 2, empty: {} },
      ],
    ],
    ['text of several lines and of other scripts', [{ text: 'a\n"b" é 日本 \u2028' }]],
    ['items that are no records', [1, null, 'a', [[]], true]],
    ['a record that says how it is serialised', [{ toJSON: () => ({ id: 1 }) }]],
  ])('is that of JSON.stringify for %s, when it is made and when it is known', (_of, records) => {
    const text = JSON.stringify(records, null, 2)
    expect([textOfPage(records), textOfPage(records)].map(String)).toEqual([text, text])
  })

  test('is not kept for a list that is longer than a page', () => {
    expect(textOfPage(Array.from({ length: 1001 }, (_, id) => ({ id })))).toBeUndefined()
  })

  test('is kept until younger ones take eight megabytes', () => {
    let made = 0
    const counted = {
      toJSON() {
        made += 1
        return { made }
      },
    }
    const addMegabytes = (count: number) => {
      for (let number = 0; number < count; number += 1) textOfPage([{ text: 'x'.repeat(1_000_000) }])
    }
    textOfPage([counted])
    addMegabytes(7)
    expect(String(textOfPage([counted]))).toContain('"made": 1')
    addMegabytes(1)
    expect(String(textOfPage([counted]))).toContain('"made": 2')
  })

  test('takes the room of an older one with the same first record', () => {
    const first = { text: 'x'.repeat(1_000_000) }
    for (let number = 0; number < 10; number += 1) textOfPage([first, { number }])
    const page = [first, { number: 10 }]
    expect(textOfPage(page)).toBe(textOfPage(page))
  })

  test('is right, and not kept, when it is larger than that itself', () => {
    const large = Array.from({ length: 20 }, (_, id) => ({ id, text: 'x'.repeat(1_000_000) }))
    const texts = [textOfPage(large), textOfPage(large)]
    expect(texts.every((text) => String(text) === JSON.stringify(large, null, 2))).toBe(true)
    expect(texts[0]).not.toBe(texts[1])
  })
})

describe('a page that was sent before', () => {
  const { start } = testApps()

  test.each(['/users', '/users?_limit=10'])(
    'shows what has changed since, and other lists with the same records: %s',
    async (list) => {
      const data = new MemoryData(sampleData(), { isShared: false })
      const { send } = await start({ data })
      const page = async () => (await send('GET', list)).text
      const before = await page()
      // The first record names the page that is kept: this one is behind it.
      await send('PATCH', '/users/2', { name: 'Another' })
      const after = await page()
      expect(JSON.parse(after)).toEqual(data.state.users)
      expect([before.includes('Another'), after.includes('Another')]).toEqual([false, true])
      const backwards = await send('GET', '/users?_sort=id&_order=desc')
      expect(JSON.parse(backwards.text)).toEqual(JSON.parse(after).reverse())
    },
  )

  test('is made into text once', async () => {
    let reads = 0
    const post = {
      id: 1,
      get title() {
        reads += 1
        return 'Title'
      },
    }
    const texts = [{ id: 1, text: 'x'.repeat(1_000_000) }]
    const data = new MemoryData({ ...sampleData(), posts: [post], texts }, { isShared: false })
    const { send } = await start({ data })
    await send('GET', '/posts?_limit=10')
    // Relations are added to copies, so such a list is not kept, and drives out no other.
    for (let round = 0; round < 9; round += 1) await send('GET', '/texts?_embed=tags')
    reads = 0
    expect((await send('GET', '/posts?_limit=10')).text).toContain('Title')
    expect(reads).toBe(0)
  })

  test('shows what the owner of the data has changed in place', async () => {
    const user = { id: 1, ...ADA, name: 'Ada' }
    const { send } = await start({ data: new MemoryData({ users: [user] }) })
    expect((await send('GET', '/users?_limit=10')).text).toContain('"Ada"')
    user.name = 'Another'
    expect((await send('GET', '/users?_limit=10')).text).toContain('"Another"')
  })

  test('shows what a middleware has changed in place in its database', async () => {
    const data = new MemoryData({ users: [{ id: 1, ...ADA, name: 'Ada' }] }, { isShared: false })
    const rename: RequestHandler = ({ app, query }, _response, next) => {
      if (query.rename) Object(app).db.get('users[0]').value().name = query.rename
      next()
    }
    const { send } = await start({ data, middlewares: [rename] })
    expect((await send('GET', '/users?_limit=10')).text).toContain('"Ada"')
    expect((await send('GET', '/users?_limit=10&rename=Another')).text).toContain('"Another"')
  })

  test('is compact where the application says so', async () => {
    const data = new MemoryData({ users: [ADA] }, { isShared: false })
    const { send } = await start({
      data,
      middlewares: [({ app }, _response, next) => next(void app.set('json spaces', 0))],
    })
    expect((await send('GET', '/users?_limit=10')).text).toBe(JSON.stringify([ADA]))
  })
})
