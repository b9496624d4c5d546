import type { AppOptions } from '../../../../server'
import type { TestServer } from '../../../support/http'
import { BACK, NOAH, OpenidClient, PATH, said, sentBack, serveProvider } from './client'

let server: TestServer
let client: OpenidClient

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveProvider(options)
  client = new OpenidClient(server.url)
}
afterEach(() => server.close())

describe('the session of a browser', () => {
  let now: number
  beforeEach(() => {
    now = Date.now()
    return start({ clock: () => now, sandboxes: true })
  })
  const silent = async (more = {}, headers = {}) =>
    sentBack(await client.open({ prompt: 'none', ...more }, headers))

  test('logs in every client without a page, until a logout ends all of its tokens', async () => {
    expect((await silent()).get('error')).toBe('login_required')
    const made = await client.exchange(await client.logIn())
    const other = await client.exchange(String((await silent({ client_id: 'other' })).get('code')), {
      client_id: 'other',
    })
    expect(other.status).toBe(200)
    const renewed = await client.refresh(made.refresh_token)
    expect(said(renewed.id_token)).toMatchObject({ sub: '7', auth_time: said(made.id_token).auth_time })
    expect(said(renewed.id_token)).not.toHaveProperty('nonce')
    const out = await client.logOut({
      id_token_hint: made.id_token,
      post_logout_redirect_uri: BACK,
      state: 'out',
    })
    expect([out.status, out.headers.location]).toEqual([303, `${BACK}&state=out`])
    expect(client.browser.cookies.size).toBe(0)
    for (const { access_token } of [made, other, renewed])
      expect(await client.status('/tasks', access_token)).toBe(401)
    expect((await silent()).get('error')).toBe('login_required')
  })

  test('asks again for prompt=login, and where somebody has logged in too long ago', async () => {
    await client.logIn()
    expect((await client.open()).status).toBe(303)
    expect((await client.open({ prompt: 'login' })).status).toBe(200)
    expect((await client.open({ prompt: 'select_account' })).status).toBe(200)
    expect((await client.open({ max_age: '60' })).status).toBe(303)
    now += 61_000
    expect((await client.open({ max_age: '60' })).status).toBe(200)
  })

  test('is that of one sandbox', async () => {
    await client.logIn({}, {}, { 'X-Sandbox': 'mine' })
    expect((await silent({}, { 'X-Sandbox': 'mine' })).get('error')).toBeNull()
    for (const headers of [{}, { 'X-Sandbox': 'another' }])
      expect((await silent({}, headers)).get('error')).toBe('login_required')
  })

  test('of another mock on localhost stays after a logout', async () => {
    client.browser.cookies.set('openid_session', 'another')
    expect((await client.logOut({})).headers['set-cookie']).toBeUndefined()
  })

  test('opens no route', async () => {
    await client.logIn()
    expect((await client.browser.send('GET /tasks')).status).toBe(401)
    expect((await client.browser.send(`GET ${PATH}/userinfo`)).status).toBe(401)
  })

  test('is begun, used in the background or ended by no page of another site', async () => {
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' }
    expect((await client.logIn({}, {}, foreign)).status).toBe(403)
    const made = await client.exchange(await client.logIn())
    expect((await silent({}, { ...foreign, 'Sec-Fetch-Dest': 'iframe' })).get('error')).toBe('login_required')
    expect((await silent({}, { ...foreign, 'Sec-Fetch-Dest': 'document' })).get('code')).not.toBeNull()
    expect((await client.logOut({}, foreign)).status).toBe(403)
    // An identity of somebody else ends their session alone.
    const noah = new OpenidClient(server.url)
    const person = { username: NOAH.email, password: NOAH.password }
    const { id_token } = await noah.exchange(await noah.logIn({}, person))
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' }
    expect((await client.logOut({ id_token_hint: id_token }, link)).status).toBe(200)
    expect(await client.status('/tasks', made.access_token)).toBe(200)
    expect((await silent()).get('error')).toBeNull()
  })

  test('no script reads where the provider redirects', async () => {
    const { headers } = await client.logIn({}, {}, { Origin: 'http://127.0.0.1:1' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})
