import { sampleData } from '../../support/helpers'
import { json } from '../../support/requests'
import { testApps } from '../../support/test-app'

const { start } = testApps()

describe('GET /:resource/:id/:nested', () => {
  it.each<[string, unknown]>([
    [
      '/posts/1/comments',
      [
        { id: 1, body: 'nice', postId: 1 },
        { id: 2, body: 'great', postId: 1 },
      ],
    ],
    ['/posts/2/comments', [{ id: 3, body: 'meh', postId: 2 }]],
    ['/posts/1/comments?body=great', [{ id: 2, body: 'great', postId: 1 }]],
    ['/posts/99/comments', []],
    ['/users/1/tags', []],
    ['/users/1/tags?label=tea', []],
    ['/users/1/comments', []],
  ])('%s', async (path, expected) => {
    const app = await start({ data: sampleData() })
    const answer = await app.send('GET', path)
    expect([answer.status, json(answer)]).toEqual([200, expected])
  })

  it('takes the suffix of foreign keys', async () => {
    const data = { ...sampleData(), likes: [{ id: 1, post_fk: 2 }] }
    const app = await start({ data, foreignKeySuffix: '_fk' })
    expect(json(await app.send('GET', '/posts/2/likes'))).toEqual([{ id: 1, post_fk: 2 }])
    expect(json(await app.send('GET', '/posts/1/likes'))).toEqual([])
    expect(json(await app.send('GET', '/posts/1/comments'))).toEqual([])
  })
})

describe('POST /:resource/:id/:nested', () => {
  it.each<[string, unknown]>([
    ['/posts/1/comments', { id: 4, body: 'new', postId: 1 }],
    ['/tags/a1b2/comments', { id: 4, body: 'new', tagId: 'a1b2' }],
    ['/posts/99/comments', { id: 4, body: 'new', postId: '99' }],
  ])('%s stores the id of the parent as the parent has it', async (path, expected) => {
    const app = await start({ data: sampleData() })
    const answer = await app.send('POST', path, { body: 'new' })
    expect([answer.status, json(answer)]).toEqual([201, expected])
    expect(json(await app.send('GET', '/comments/4'))).toEqual(expected)
  })

  it('is found by _embed afterwards', async () => {
    const app = await start({ data: sampleData() })
    await app.send('POST', '/posts/2/comments', { body: 'new' })
    expect(json(await app.send('GET', '/posts/2?_embed=comments'))).toMatchObject({
      comments: [{ body: 'meh' }, { body: 'new', postId: 2 }],
    })
  })

  it('answers 404 where there is no such collection, and stores nothing', async () => {
    const data = sampleData()
    const app = await start({ data })
    expect((await app.send('POST', '/posts/1/nothing', { body: 'new' })).status).toBe(404)
    expect(data).toEqual(sampleData())
  })
})
