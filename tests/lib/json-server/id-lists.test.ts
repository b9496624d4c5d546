import type { Data } from '../../../lib/data/valid-data'
import { testApps } from '../../support/app'
import { memoryData, sampleData } from '../../support/data'
import { json } from '../../support/http'

const { start } = testApps()

/** As people have it in their threads: many to many without a table between. */
const data = (): Data => ({
  ...sampleData(),
  tags: [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
    { id: 'x', name: 'text' },
  ],
  posts: [
    { id: 1, tagIds: [1, 2] },
    { id: 2, tagIds: [2, 9, 'x'] },
    { id: 3, tagIds: [] },
    { id: 4 },
    { id: 5, tagId: 1 },
  ],
  departments: [{ id: 1 }, { id: 2 }, { id: 3 }],
  doctors: [
    { id: 1, departmentId: [3, 1, 7] },
    { id: 2, departmentId: 1 },
    { id: 3, departmentId: [2] },
    { id: 4, departmentId: 8 },
  ],
  notes: [{ id: 1, text: 'no key at all' }],
})

/** The ids of a list. */
function ids(list: unknown): unknown[] {
  if (!Array.isArray(list)) throw new Error('This is no list.')
  return list.map(({ id }) => id)
}

describe.each([false, true])('over data that others may change: %s', (isShared) => {
  const open = () => start({ data: memoryData(data(), { isShared }), publicCollection: false })

  test.each([
    ['/tags/1?_embed=posts', 'posts', [1, 5]],
    ['/tags/2?_embed=posts', 'posts', [1, 2]],
    ['/tags/x?_embed=posts', 'posts', [2]],
    ['/departments/1?_embed=doctors', 'doctors', [1, 2]],
    ['/departments/2?_embed=doctors', 'doctors', [3]],
    ['/doctors/1?_expand=department', 'department', [3, 1]],
    ['/doctors/3?_expand=department', 'department', [2]],
    ['/posts/2?_expand=tags', 'tags', [2, 'x']],
    ['/posts/3?_expand=tags', 'tags', []],
  ])('%s adds %s: %j', async (path, name, expected) => {
    const { send } = await open()
    const record = json(await send('GET', path))
    expect(ids(Object(record)[name])).toEqual(expected)
    // A list says the same of it.
    const [collection, id] = path.slice(1).split(/[/?]/)
    const list = json(await send('GET', `/${collection}?id=${id}&${path.split('?')[1]}`))
    expect(list).toEqual([record])
  })

  test('_expand of a single value is one record, or none where it is gone', async () => {
    const { send } = await open()
    const list = json(await send('GET', '/doctors?_expand=department&id=2&id=4'))
    expect(list).toEqual([
      { id: 2, departmentId: 1, department: { id: 1 } },
      { id: 4, departmentId: 8 },
    ])
  })

  test.each([
    ['/tags/1/posts', [1, 5]],
    ['/tags/2/posts', [1, 2]],
    ['/tags/2/posts?id_gte=2', [2]],
    ['/tags/2/posts?_sort=id&_order=desc', [2, 1]],
    ['/tags/x/posts', [2]],
    ['/departments/1/doctors', [1, 2]],
    ['/departments/3/doctors', [1]],
    // Nothing refers to it, and it is gone.
    ['/tags/3/posts', []],
    ['/tags/9/posts', []],
    ['/departments/7/doctors', []],
    // A single key is compared as in json-server, also with what is gone.
    ['/departments/8/doctors', [4]],
    // No record has a key: as in json-server.
    ['/tags/1/notes', [1]],
  ])('%s -> %j', async (path, expected) => {
    const { send } = await open()
    expect(ids(json(await send('GET', path)))).toEqual(expected)
  })

  test('a DELETE leaves lists of ids as they are, and relations pass over what is gone', async () => {
    const { send } = await open()
    await send('DELETE', '/tags/2')
    expect(json(await send('GET', '/posts/1'))).toEqual({ id: 1, tagIds: [1, 2] })
    expect(ids(Object(json(await send('GET', '/posts/1?_expand=tags'))).tags)).toEqual([1])
    expect(json(await send('GET', '/tags/2/posts'))).toEqual([])
    await send('DELETE', '/posts/1')
    expect(ids(Object(json(await send('GET', '/tags/1?_embed=posts'))).posts)).toEqual([5])
  })

  test.each([
    ['/tags/1/posts', { title: 'a' }, { title: 'a', tagIds: [1] }],
    ['/tags/x/posts', { tagIds: [2] }, { tagIds: [2, 'x'] }],
    ['/tags/2/posts', { tagIds: [2] }, { tagIds: [2] }],
    // The tag is not there.
    ['/tags/77/posts', {}, { tagIds: ['77'] }],
    // The records of the list have one name for one and for several.
    ['/departments/1/doctors', { name: 'b' }, { name: 'b', departmentId: '1' }],
    ['/tags/1/notes', {}, { tagId: '1' }],
  ])('POST %s %j stores %j', async (path, body, stored) => {
    const { send } = await open()
    const answer = await send('POST', path, body)
    expect(answer.status).toBe(201)
    expect(json(answer)).toEqual({ ...stored, id: expect.any(Number) })
  })

  test('a record of the list is found through each record that it refers to', async () => {
    const { send } = await open()
    expect(json(await send('GET', '/tags/2/posts/1'))).toEqual({ id: 1, tagIds: [1, 2] })
    expect((await send('GET', '/tags/1/posts/2')).status).toBe(404)
  })
})

test('lists of ids with another id property and suffix', async () => {
  const given = {
    ...sampleData(),
    tags: [{ _id: 1 }],
    posts: [{ _id: 1, tag_ids: [1] }, { _id: 2 }],
  }
  const options = { idProperty: '_id', foreignKeySuffix: '_id', publicCollection: false } as const
  const { send } = await start({ data: given, ...options })
  expect(json(await send('GET', '/tags?_embed=posts'))).toEqual([{ _id: 1, posts: [given.posts[0]] }])
  expect(json(await send('GET', '/tags/1/posts'))).toEqual([given.posts[0]])
  expect(json(await send('POST', '/tags/1/posts', {}))).toEqual({ _id: 3, tag_ids: [1] })
})
