import fc from 'fast-check'
import type { LookupUser } from '../../lib/options/app-options'
import { userLookup } from '../../middlewares/user-lookup'
import { ask, json, serveHandlers, type TestServer } from '../support/http'
import { runs } from '../support/random'

// The same inputs in every run; the number may be any.
const SEED = 20261121

const USERS: readonly LookupUser[] = [
  { name: 'Zoë', age: 30 },
  { name: 'Yann', age: 40 },
  { name: 'Xia', age: 50 },
]

let server: TestServer
beforeAll(async () => {
  server = await serveHandlers(userLookup({ users: USERS }))
})
afterAll(() => server.close())

test('any id: digits are a position, everything else is invalid', async () => {
  const ids = fc.oneof(
    fc.stringMatching(/^0{0,3}[0-9]$/),
    fc.stringMatching(/^[0-9]{0,40}$/),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-+ ]?[0-9]{1,3}[.eE]?[0-9]{0,2}$/),
  )
  await fc.assert(
    fc.asyncProperty(ids, async (id) => {
      const answer = await ask(server.url, { path: `/api/users.php?id=${encodeURIComponent(id)}` })
      const user = /^[0-9]+$/.test(id) && BigInt(id) < 3n ? USERS[Number(id)] : undefined
      expect(answer.status).toBe(/[^0-9]/.test(id) ? 400 : user === undefined ? 404 : 200)
      expect(json(answer)).toMatchObject(
        user === undefined ? { status: 'NG' } : { status: 'OK', users: user },
      )
    }),
    { ...runs(40), seed: SEED },
  )
})

test('any query string: a response of the service, never a failure', async () => {
  await fc.assert(
    fc.asyncProperty(fc.webQueryParameters(), async (query) => {
      const answer = await ask(server.url, { path: `/api/users.php?id${query}` })
      expect([200, 400, 404]).toContain(answer.status)
      expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8')
    }),
    { ...runs(40), seed: SEED },
  )
})
