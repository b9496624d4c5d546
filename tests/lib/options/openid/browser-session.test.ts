import { BACK, NOAH, OpenidClient, openidTests, PATH, said, sentBack } from './client'

const tests = openidTests()

describe('the session of a browser', () => {
  let now: number
  beforeEach(() => {
    now = Date.now()
    return tests.start({ clock: () => now, sandboxes: true })
  })
  const silent = async (more = {}, headers = {}) =>
    sentBack(await tests.client.open({ prompt: 'none', ...more }, headers))

  test('logs in every client without a page, until a logout ends all of its tokens', async () => {
    expect((await silent()).get('error')).toBe('login_required')
    const made = await tests.client.exchange(await tests.client.logIn())
    const other = await tests.client.exchange(String((await silent({ client_id: 'other' })).get('code')), {
      client_id: 'other',
    })
    expect(other.status).toBe(200)
    const renewed = await tests.client.refresh(made.refresh_token)
    expect(said(renewed.id_token)).toMatchObject({ sub: '7', auth_time: said(made.id_token).auth_time })
    expect(said(renewed.id_token)).not.toHaveProperty('nonce')
    const out = await tests.client.logOut({
      id_token_hint: made.id_token,
      post_logout_redirect_uri: BACK,
      state: 'out',
    })
    expect([out.status, out.headers.location]).toEqual([303, `${BACK}&state=out`])
    expect(tests.client.browser.cookies.size).toBe(0)
    for (const { access_token } of [made, other, renewed])
      expect(await tests.client.status('/tasks', access_token)).toBe(401)
    expect((await silent()).get('error')).toBe('login_required')
  })

  test('asks again for prompt=login, and where somebody has logged in too long ago', async () => {
    await tests.client.logIn()
    expect((await tests.client.open()).status).toBe(303)
    expect((await tests.client.open({ prompt: 'login' })).status).toBe(200)
    expect((await tests.client.open({ prompt: 'select_account' })).status).toBe(200)
    expect((await tests.client.open({ max_age: '60' })).status).toBe(303)
    now += 61_000
    expect((await tests.client.open({ max_age: '60' })).status).toBe(200)
  })

  test('is that of one sandbox', async () => {
    await tests.client.logIn({}, {}, { 'X-Sandbox': 'mine' })
    expect((await silent({}, { 'X-Sandbox': 'mine' })).get('error')).toBeNull()
    for (const headers of [{}, { 'X-Sandbox': 'another' }])
      expect((await silent({}, headers)).get('error')).toBe('login_required')
  })

  test('of another mock on localhost stays after a logout', async () => {
    tests.client.browser.cookies.set('openid_session', 'another')
    expect((await tests.client.logOut({})).headers['set-cookie']).toBeUndefined()
  })

  test('opens no route', async () => {
    await tests.client.logIn()
    expect((await tests.client.browser.send('GET /tasks')).status).toBe(401)
    expect((await tests.client.browser.send(`GET ${PATH}/userinfo`)).status).toBe(401)
  })

  test('is begun, used in the background or ended by no page of another site', async () => {
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' }
    expect((await tests.client.logIn({}, {}, foreign)).status).toBe(403)
    const made = await tests.client.exchange(await tests.client.logIn())
    expect((await silent({}, { ...foreign, 'Sec-Fetch-Dest': 'iframe' })).get('error')).toBe('login_required')
    expect((await silent({}, { ...foreign, 'Sec-Fetch-Dest': 'document' })).get('code')).not.toBeNull()
    expect((await tests.client.logOut({}, foreign)).status).toBe(403)
    // An identity of somebody else ends their session alone.
    const noah = new OpenidClient(tests.url)
    const person = { username: NOAH.email, password: NOAH.password }
    const { id_token } = await noah.exchange(await noah.logIn({}, person))
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' }
    expect((await tests.client.logOut({ id_token_hint: id_token }, link)).status).toBe(200)
    expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
    expect((await silent()).get('error')).toBeNull()
  })

  test('no script reads where the provider redirects', async () => {
    const { headers } = await tests.client.logIn({}, {}, { Origin: 'http://127.0.0.1:1' })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})
