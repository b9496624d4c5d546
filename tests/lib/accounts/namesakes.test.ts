import { PersonFields } from '../../../lib/auth/person-fields'
import { serveApp } from '../../support/app'
import { ask, json, question, type TestServer } from '../../support/http'

/** As many as a server may have of one name. */
const COUNT = 1000

const NAMESAKES = Array.from({ length: COUNT }, (_item, id) => ({
  id,
  name: 'Sam',
  username: 'sam',
  email: `sam${id}@example.com`,
  password: `p${id}`,
}))

let server: TestServer
beforeAll(async () => {
  server = await serveApp({ data: { users: NAMESAKES }, login: '/login', signUp: '/register' })
})
afterAll(() => server.close())
afterEach(() => jest.restoreAllMocks())

/** How often the names or the password of somebody are looked at for a request that is sent again. */
async function looksFor(line: string): Promise<{ status: number | undefined; looks: number }> {
  const first = await ask(server.url, question(line))
  const looks = [
    jest.spyOn(PersonFields.prototype, 'namesOf'),
    jest.spyOn(PersonFields.prototype, 'passwordOf'),
    jest.spyOn(PersonFields.prototype, 'passwordFieldOf'),
  ]
  const { status } = await ask(server.url, question(line))
  expect(status).toBe(first.status)
  return { status, looks: looks.reduce((count, { mock }) => count + mock.calls.length, 0) }
}

const asEachField = (text: string) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_item, index) => [`field${index}`, text])))

test.each([
  { line: 'POST /login {"name": "Sam"}', expected: 401 },
  { line: 'POST /login {"name": "Sam", "password": "x"}', expected: 401 },
  { line: `POST /login {"name": "Sam", "password": "p${COUNT - 1}"}`, expected: 200 },
  { line: 'POST /login {"username": "sam", "password": "x"}', expected: 401 },
  { line: 'POST /login {"username": "sam", "email": "x", "password": "x"}', expected: 401 },
  { line: 'POST /login {"anything": "Sam", "password": "x"}', expected: 401 },
  { line: `POST /login ${asEachField('Sam')}`, expected: 401 },
  { line: 'POST /register {"email": "sam1@example.com", "name": "Sam", "password": "x"}', expected: 409 },
])('$line does not look at each of the thousand whom it names', async ({ line, expected }) => {
  const { status, looks } = await looksFor(line)
  expect(status).toBe(expected)
  expect(looks).toBeLessThan(COUNT / 2)
})

test.each([0, COUNT / 2, COUNT - 1])(
  'of a thousand of one name, the password tells who it is: number %d',
  async (id) => {
    for (const name of ['"name": "Sam"', '"username": "sam"', '"anything": "Sam"']) {
      const answer = await ask(server.url, question(`POST /login {${name}, "password": "p${id}"}`))
      expect(json(answer)).toMatchObject({ user: { id } })
    }
  },
)
