import { testApps } from '../../../support/app'
import { ADA } from '../../../support/data'
import { json } from '../../../support/http'

const { start } = testApps()
const plan = { type: 'string', readOnly: true } as const
const schemas = {
  accounts: { properties: { prefs: { properties: { plan, theme: { type: 'string', default: 'light' } } } } },
}

test.each(['PATCH', 'PUT'])('%s of a path into a record responds with what was stored', async (method) => {
  const accounts = [{ id: 8, prefs: { plan: 'free' } }]
  const { send } = await start({ data: { users: [{ id: 1, ...ADA }], accounts }, schemas })
  const answer = await send(method, '/accounts/8/prefs', { plan: 'pro', theme: 'dark' })
  expect([answer.status, json(answer)]).toEqual([200, { plan: 'free', theme: 'dark' }])
  expect(json(await send('GET', '/accounts/8'))).toEqual({ id: 8, prefs: { plan: 'free', theme: 'dark' } })
})

test('so does PATCH of an element of a list', async () => {
  const accounts = [{ id: 8, cards: [{ id: 1, n: 1 }] }]
  const { send } = await start({ data: { users: [{ id: 1, ...ADA }], accounts }, schemas })
  expect(json(await send('PATCH', '/accounts/8/cards/1', { n: 2 }))).toEqual({ id: 1, n: 2 })
})
