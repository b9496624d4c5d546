import { ask, json } from '../../../support/http'
import { MIA, openidTests, PATH, type Tokens } from './client'

const tests = openidTests()
beforeEach(() => tests.start({ sandboxes: true }))

const asMia = async (headers = {}) => tests.client.exchange(await tests.client.logIn({}, {}, headers))

async function introspect(token: string, fields = {}, headers = {}): Promise<object> {
  return Object(json(await tests.client.form('/token/introspect', { token, ...fields }, headers)))
}

test('discovery names the check of a session, revocation and introspection, and each responds', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    const configuration = JSON.parse((await ask(tests.url, { path })).text)
    const { check_session_iframe, revocation_endpoint, introspection_endpoint } = configuration
    const { pathname } = new URL(check_session_iframe)
    expect((await ask(tests.url, { path: pathname })).headers['content-type']).toContain('text/html')
    for (const address of [revocation_endpoint, introspection_endpoint])
      expect(
        (await tests.client.form(new URL(address).pathname.slice(PATH.length), { token: 'x' })).status,
      ).toBe(200)
  }
})

test('the metadata of RFC 8414 are those of the issuer whose path stands behind theirs', async () => {
  const ask8414 = async (path: string) =>
    JSON.parse((await ask(tests.url, { path: `/.well-known/oauth-authorization-server${path}` })).text)
  const there = await ask(tests.url, { path: '/realms/demo/.well-known/openid-configuration' })
  expect(await ask8414('/realms/demo')).toEqual(JSON.parse(there.text))
  expect((await ask8414('')).issuer).toBe(tests.url)
})

test.each<['access_token' | 'refresh_token']>([['access_token'], ['refresh_token']])(
  'a revoked %s ends its session',
  async (kind) => {
    const made = await asMia()
    const answer = await tests.client.form('/revoke', { token: made[kind], token_type_hint: 'wrong' })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await tests.client.status('/tasks', made.access_token)).toBe(401)
    expect((await tests.client.refresh(made.refresh_token)).error).toBe('invalid_grant')
  },
)

test('an unknown token, and that of another client, is a 200 that ends nothing', async () => {
  const made = await asMia()
  for (const [token, client_id] of [
    ['x', 'spa'],
    [made.id_token, 'spa'],
    [made.access_token, 'other'],
    [made.refresh_token, ''],
  ])
    expect(
      (await tests.client.form('/revoke', { token: String(token), client_id: String(client_id) })).status,
    ).toBe(200)
  expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
  expect((await tests.client.refresh(made.refresh_token)).status).toBe(200)
})

test('introspection says of a good token who has it and how long, to any client', async () => {
  const made = await asMia()
  for (const token of [made.access_token, made.refresh_token])
    expect(await introspect(token, { client_id: 'other' })).toMatchObject({
      active: true,
      sub: '7',
      client_id: 'spa',
      username: MIA.email,
      scope: 'openid profile email',
      exp: expect.any(Number),
    })
})

test.each<[string, (made: Tokens) => Promise<string>]>([
  ['is none', async () => 'x'],
  ['is that of an identity', async (made) => made.id_token],
  ['is the session of the browser', async () => String(tests.client.browser.cookies.get('openid_session'))],
  [
    'was used once',
    async (made) => {
      await tests.client.refresh(made.refresh_token)
      await tests.client.refresh(made.refresh_token)
      return made.refresh_token
    },
  ],
  [
    'has ended',
    async (made) => {
      await tests.client.form('/revoke', { token: made.access_token })
      return made.access_token
    },
  ],
])('of a token that %s, it says nothing but that it is not active', async (_what, tokenOf) => {
  await tests.start({ refreshOnce: true })
  expect(await introspect(await tokenOf(await asMia()))).toEqual({ active: false })
})

test('the main data know a token of a sandbox, and another sandbox says nothing of it', async () => {
  const made = await asMia({ 'X-Sandbox': 'mine' })
  expect(await introspect(made.access_token)).toMatchObject({ active: true })
  expect(await introspect(made.access_token, {}, { 'X-Sandbox': 'another' })).toEqual({ active: false })
  await tests.client.form('/revoke', { token: made.access_token }, { 'X-Sandbox': 'another' })
  expect(await introspect(made.access_token)).toMatchObject({ active: true })
  await tests.client.form('/revoke', { token: made.access_token })
  expect(await introspect(made.access_token)).toEqual({ active: false })
})

test('without a token in the form, both are a 400', async () => {
  for (const endpoint of ['/revoke', '/token/introspect'])
    expect(json(await tests.client.form(endpoint, {}))).toMatchObject({ error: 'invalid_request' })
})
