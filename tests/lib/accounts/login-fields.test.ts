import { isRecord } from '../../../lib/is-record'
import { serveApp } from '../../support/app'
import { type Answer, ask, json, question, type TestServer, withHeaders } from '../../support/http'

let server: TestServer
afterEach(() => server.close())

function say(line: string, token?: unknown): Promise<Answer> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  return ask(server.url, withHeaders(question(line), headers))
}

test('a dot reaches into an object of the record', async () => {
  const users = [
    { id: 1, account: { email: 'ann@x.org', secret: 'pa' }, role: 'admin' },
    { id: 2, account: { email: 'bob@x.org', secret: 'pb' } },
  ]
  const loginFields = { names: ['account.email'], password: 'account.secret' }
  server = await serveApp({
    data: { users },
    login: '/login',
    me: '/me',
    refresh: '/again',
    signUp: '/join',
    loginFields,
  })
  const login = json(await say('POST /login {"email": "ann@x.org", "secret": "pa"}'))
  const { token, refresh_token } = isRecord(login) ? login : {}
  expect(json(await say('GET /me', token))).toMatchObject({ id: 1, account: { email: 'ann@x.org' } })
  expect((await say('GET /me', token)).text).not.toContain('"pa"')
  expect((await say(`POST /again {"refresh_token": "${refresh_token}"}`)).status).toBe(200)
  for (const body of ['{"email": "ann@x.org", "secret": "pb"}', '{"email": "x", "secret": "pa"}'])
    expect((await say(`POST /login ${body}`)).status).toBe(401)
  // Who signs up has them at the top.
  expect((await say('POST /join {"email": "bob@x.org", "secret": "x"}')).status).toBe(409)
  expect((await say('POST /join {"email": "new@x.org", "secret": "x"}')).status).toBe(201)
  expect((await say('POST /login {"email": "new@x.org", "secret": "x"}')).status).toBe(200)
})

test('nobody signs up with a copy of the field that login-fields names', async () => {
  const users = [{ id: 1, badge: 'A17', password: 'p' }]
  server = await serveApp({
    data: { users },
    login: '/login',
    signUp: '/join',
    loginFields: { names: ['badge'] },
  })
  expect((await say('POST /join {"badge": "A17", "password": "x"}')).status).toBe(409)
  expect((await say('POST /login {"badge": "A17", "password": "p"}')).status).toBe(200)
})
