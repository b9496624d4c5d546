import { testApps } from '../support/app'
import { sampleData } from '../support/data'
import { ask, json, logInTo, send } from '../support/http'

const { start } = testApps()

/** Names that every object has, and one of lodash's. */
const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'filter']

test.each(NAMES)('a collection named %s is one like any other', async (name) => {
  const records = [{ id: 1, userId: 1 }, { id: 2, userId: [] }, { id: 3 }]
  const data = { ...sampleData(), [name]: structuredClone(records), notes: [{ id: 1, [`${name}Id`]: 1 }] }
  const { url, send: sendAs } = await start({ data, docs: true, sandboxes: true })
  const [first, second, third] = records

  expect(json(await sendAs('GET', `/${name}`))).toEqual(records)
  expect(json(await sendAs('GET', `/${name}?_sort=id&_order=desc&_limit=1`))).toEqual([third])
  expect(json(await sendAs('GET', `/${name}?userId=1`))).toEqual([first])
  expect(json(await sendAs('GET', `/${name}/1?_embed=notes`))).toEqual({ ...first, notes: data.notes })
  expect(json(await sendAs('GET', `/users/1?_embed=${name}`))).toMatchObject({ [name]: [first] })
  expect(json(await sendAs('POST', `/${name}`, { made: true }))).toEqual({ made: true, id: 4 })
  expect(json(await sendAs('PATCH', `/${name}/3`, { userId: 1 }))).toEqual({ ...third, userId: 1 })
  // Also removes the records that refer to it, and no others.
  expect((await sendAs('DELETE', '/users/1')).status).toBe(200)
  expect(json(await sendAs('GET', `/${name}`))).toEqual([second, { made: true, id: 4 }])
  expect((await ask(url, { path: '/openapi.json' })).status).toBe(200)

  const token = await logInTo(url, name)
  expect(json(await send(url, `GET /${name}`, { token }))).toEqual(records)
  expect((await send(url, `DELETE /${name}/1`, { token })).status).toBe(200)
  expect(json(await send(url, `GET /${name}`, { token }))).toEqual([second, third])
})

test('records without an id, and a foreign key that is a list, in a collection named constructor', async () => {
  const data = { ...sampleData(), posts: [{}], constructor: [{ postId: [] }] }
  const { send: sendAs } = await start({ data, docs: true })
  for (const path of ['/posts', '/constructor', '/posts?_embed=constructor', '/constructor?_expand=post'])
    expect((await sendAs('GET', path)).status).toBe(200)
  expect((await sendAs('DELETE', '/posts/undefined')).status).toBe(404)
  expect(json(await sendAs('GET', '/constructor'))).toEqual([{ postId: [] }])
})
