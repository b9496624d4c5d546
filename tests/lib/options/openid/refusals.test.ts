import { ask, json } from '../../../support/http'
import { BACK, openidTests, PATH, sentBack, type Tokens } from './client'

const tests = openidTests()

describe('what is refused', () => {
  let now: number
  beforeEach(() => {
    now = Date.now()
    return tests.start({ clock: () => now, refresh: '/refresh' })
  })

  test.each([
    ['https://evil.example/'],
    ['http://localhost@evil.example/'],
    ['http://localhost:80@evil.example/'],
    ['http://mia:secret@localhost/'],
    ['http://localhost.evil.example/'],
    ['http://localhost%2eevil.example/'],
    ['http://evil.example\\@localhost/'],
    ['http:\\\\evil.example/'],
    ['ht\ttp://evil.example/'],
    ['http://evil.example/\t@localhost/'],
    ['javascript:alert(1)'],
    ['javascript://localhost/%0aalert(1)'],
    ['data:text/html,x'],
    ['file://localhost/etc/passwd'],
    ['myapp://callback'],
    ['//localhost/'],
    ['/callback'],
    ['http://mia:secret@localhost/#there'],
    ['https://evil.example/#http://localhost/'],
    [''],
  ])('nobody is sent to %j, neither with a code nor after a logout', async (address) => {
    for (const answer of [
      await tests.client.open({ redirect_uri: address }),
      await tests.client.logIn({ redirect_uri: address }),
      ...(address === '' ? [] : [await tests.client.logOut({ post_logout_redirect_uri: address })]),
    ]) {
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.text).not.toContain('evil.example')
    }
  })

  test('a browser that reads a backslash as a slash is sent where the server has looked', async () => {
    const { headers } = await tests.client.logIn({ redirect_uri: 'http://localhost:5173\\@evil.example/' })
    expect(String(headers.location)).toMatch(/^http:\/\/localhost:5173\/@evil\.example\//)
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'jwt' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: '' }],
    ['request_not_supported', { request: 'eyJ' }],
    ['request_uri_not_supported', { request_uri: 'http://localhost/' }],
    ['login_required', { prompt: 'none' }],
  ])('the client is told %s for %j', async (error, asked) => {
    const back = await tests.client.open(asked)
    expect([back.status, sentBack(back).get('error'), sentBack(back).get('state')]).toEqual([
      303,
      error,
      'the state',
    ])
  })

  test('a parameter that is sent twice is none', async () => {
    const path = `${PATH}/auth?client_id=spa&redirect_uri=${BACK}&redirect_uri=${BACK}&response_type=code`
    expect((await ask(tests.url, { path })).status).toBe(400)
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'another' }],
    ['no verifier', { code_verifier: '' }],
    ['another client', { client_id: 'other' }],
    ['no client', { client_id: '' }],
    ['another address', { redirect_uri: 'http://localhost:5173/callback' }],
  ])('a code is refused with %s', async (_what, fields) => {
    const made = await tests.client.exchange(await tests.client.logIn(), fields)
    expect([made.status, made.error]).toEqual([400, 'invalid_grant'])
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'another' }],
    ['another client', { client_id: 'other' }],
    ['another address', { redirect_uri: 'http://localhost:5173/callback' }],
  ])('a code that was refused with %s is not used up', async (_what, fields) => {
    const back = await tests.client.logIn()
    expect((await tests.client.exchange(back, fields)).status).toBe(400)
    const made = await tests.client.exchange(back)
    expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
  })

  test('a verifier without a challenge is refused: somebody has taken the challenge away', async () => {
    const made = await tests.client.exchange(await tests.client.logIn({ code_challenge: '' }))
    expect([made.status, made.error]).toEqual([400, 'invalid_grant'])
  })

  test('a code that is guessed, or a minute old, is refused', async () => {
    expect((await tests.client.exchange('a'.repeat(43))).error).toBe('invalid_grant')
    const back = await tests.client.logIn()
    now += 60_000
    expect((await tests.client.exchange(back)).error).toBe('invalid_grant')
  })

  test('a code that is used twice ends the session', async () => {
    const back = await tests.client.logIn()
    const made = await tests.client.exchange(back)
    expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
    expect((await tests.client.exchange(back)).error).toBe('invalid_grant')
    expect(await tests.client.status('/tasks', made.access_token)).toBe(401)
    expect((await tests.client.refresh(made.refresh_token)).error).toBe('invalid_grant')
    expect(sentBack(await tests.client.open({ prompt: 'none' })).get('error')).toBe('login_required')
  })

  test('another client gets nothing for a refresh token', async () => {
    const { refresh_token } = await tests.client.exchange(await tests.client.logIn())
    expect((await tests.client.refresh(refresh_token, { client_id: 'other' })).error).toBe('invalid_grant')
    expect((await tests.client.refresh(refresh_token)).status).toBe(200)
  })

  test.each<[string, (made: Tokens) => Promise<unknown>, unknown]>([
    ['an identity opens a route', (made) => tests.client.status('/tasks', made.id_token), 401],
    [
      'an identity opens the user info',
      (made) => tests.client.status(`${PATH}/userinfo`, made.id_token),
      401,
    ],
    ['a refresh token opens a route', (made) => tests.client.status('/tasks', made.refresh_token), 401],
    [
      'a refresh token opens the user info',
      (made) => tests.client.status(`${PATH}/userinfo`, made.refresh_token),
      401,
    ],
    [
      'an access token refreshes',
      async (made) => (await tests.client.refresh(made.access_token)).error,
      'invalid_grant',
    ],
    [
      'an identity refreshes',
      async (made) => (await tests.client.refresh(made.id_token)).error,
      'invalid_grant',
    ],
    [
      "the browser's own token refreshes",
      async () =>
        (await tests.client.refresh(String(tests.client.browser.cookies.get('openid_session')))).error,
      'invalid_grant',
    ],
    [
      'a refresh token is a code',
      async (made) => (await tests.client.exchange(made.refresh_token)).error,
      'invalid_grant',
    ],
    [
      'a refresh token is the session of a browser',
      async (made) => {
        tests.client.browser.cookies.set('openid_session', made.refresh_token)
        return sentBack(await tests.client.open({ prompt: 'none' })).get('error')
      },
      'login_required',
    ],
    [
      'an access token is a hint of a logout',
      async (made) => {
        await tests.client.logOut({ id_token_hint: made.access_token }, { 'Sec-Fetch-Site': 'cross-site' })
        return tests.client.status('/tasks', made.access_token)
      },
      200,
    ],
  ])('of mixed-up tokens, never: %s', async (_what, attempt, outcome) => {
    expect(await attempt(await tests.client.exchange(await tests.client.logIn()))).toBe(outcome)
  })

  test('a forged Host gets no code, and an address is no host', async () => {
    await tests.client.logIn()
    const forged = await tests.client.open({ redirect_uri: 'http://evil.example/' }, { Host: 'evil.example' })
    expect([forged.status, forged.headers.location]).toEqual([400, undefined])
    for (const Host of ['evil.example/x', 'me@evil.example', '"<x>'])
      expect(
        (await ask(tests.url, { path: '/.well-known/openid-configuration', headers: { Host } })).status,
      ).toBe(400)
  })

  test('each error of the token endpoint has the form of RFC 6749, and nobody keeps it', async () => {
    for (const [body, error] of [
      ['grant_type=implicit', 'unsupported_grant_type'],
      ['', 'unsupported_grant_type'],
      [`x=${'x'.repeat(20_000)}`, 'invalid_request'],
    ]) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await ask(tests.url, {
        method: 'POST',
        path: `${PATH}/token`,
        headers,
        body: String(body),
      })
      expect(json(answer)).toEqual({ error, error_description: expect.any(String) })
      expect(answer.headers['cache-control']).toMatch(/no-/)
    }
  })
})
