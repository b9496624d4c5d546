import { createPublicKey } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { isRecord } from '../../../../lib/is-record'
import type { AppOptions } from '../../../../server'
import { ask, askJson, json, type TestServer, until } from '../../../support/http'
import { BACK, MIA, NOAH, OpenidClient, PATH, sentBack, serveProvider, type Tokens } from './client'

let server: TestServer
let client: OpenidClient

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveProvider(options)
  client = new OpenidClient(server.url)
}
afterEach(() => server.close())

/** What a token says, whoever has signed it. */
function said(token: string): Record<string, unknown> {
  const claims: unknown = jwt.decode(token)
  return isRecord(claims) ? claims : {}
}

async function configurationAt(prefix = '', headers = {}): Promise<Record<string, string>> {
  const answer = await ask(server.url, { path: `${prefix}/.well-known/openid-configuration`, headers })
  return JSON.parse(answer.text)
}

describe('a login', () => {
  beforeEach(() => start({ sandboxes: true }))

  test.each(['', '/realms/demo', '/oauth2/default'])(
    'at the issuer with the path "%s" gives an identity that its published key has signed, and a token that opens the resources',
    async (prefix) => {
      client = new OpenidClient(server.url, { prefix })
      const back = await client.logIn()
      expect([back.status, sentBack(back).get('state'), sentBack(back).get('from')]).toEqual([
        303,
        'the state',
        'login',
      ])
      const made = await client.exchange(back)
      expect(made.status).toBe(200)
      const { issuer, jwks_uri, authorization_endpoint } = await configurationAt(prefix)
      expect(issuer).toBe(server.url + prefix)
      expect(authorization_endpoint).toBe(`${server.url}${prefix}${PATH}/auth`)
      const { keys } = JSON.parse((await ask(server.url, { path: new URL(String(jwks_uri)).pathname })).text)
      const key = createPublicKey({ key: keys[0], format: 'jwk' })
      const options = { audience: 'spa', nonce: 'the nonce', issuer: server.url + prefix }
      const identity = jwt.verify(made.id_token, key, { ...options, algorithms: ['RS256'] })
      expect(identity).toMatchObject({
        sub: '7',
        name: 'Mia',
        email: MIA.email,
        preferred_username: MIA.email,
      })
      expect(await client.status('/tasks', made.access_token)).toBe(200)
    },
  )

  test('says no password in any token, and has its roles where clients read them', async () => {
    const { id_token, access_token } = await client.exchange(await client.logIn())
    for (const token of [id_token, access_token]) {
      expect(said(token)).toMatchObject({ realm_access: { roles: ['admin'] }, groups: ['admin'] })
      expect(JSON.stringify(said(token))).not.toContain(MIA.password)
    }
  })

  test('says of the standard claims only those whose scopes are asked for', async () => {
    const { id_token, access_token } = await client.exchange(await client.logIn({ scope: 'openid email' }))
    expect(said(id_token)).toMatchObject({ sub: '7', email: MIA.email })
    expect(said(id_token)).not.toHaveProperty('name')
    const info = json(await client.get(`${PATH}/userinfo`, access_token))
    expect(info).toMatchObject({ sub: '7', email: MIA.email })
    expect(info).not.toHaveProperty('name')
    const without = await client.exchange(await client.logIn({ scope: 'profile' }))
    expect([without.status, without.id_token]).toEqual([200, ''])
  })

  test('without PKCE, by a client with a secret, is one as well', async () => {
    const back = await client.logIn({ code_challenge: '', code_challenge_method: '', client_id: 'a b' })
    const headers = { Authorization: `Basic ${Buffer.from('a+b:any%20secret').toString('base64')}` }
    const made = await client.exchange(back, { client_id: '', code_verifier: '' }, headers)
    expect([made.status, said(made.id_token).aud]).toEqual([200, 'a b'])
  })

  test('can send the browser back with a fragment', async () => {
    const back = await client.logIn({ response_mode: 'fragment' })
    expect(back.headers.location).toMatch(/^http:\/\/localhost:5173\/callback\?from=login#code=/)
  })

  test('takes any name of a user, and no other password', async () => {
    const noah = { username: NOAH.username, password: NOAH.password }
    expect(said((await client.exchange(await client.logIn({}, noah))).id_token).sub).toBe('8')
    const wrong: Record<string, string>[] = [
      { password: 'wrong' },
      { password: '' },
      { username: '' },
      { username: NOAH.email },
    ]
    for (const person of wrong) expect((await client.logIn({}, person)).status).toBe(401)
  })

  test('shows a page that says what is wrong, repeats a name as text, and lists nobody', async () => {
    const page = await client.open({ login_hint: '"><script>' })
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const refused = await client.logIn({}, { username: '"><script>', password: 'x' })
    expect(refused.text).toContain('role="alert"')
    for (const { text } of [page, refused]) {
      expect(text).not.toContain('<script')
      expect(text).toContain('value="&#34;&#62;&#60;script&#62;"')
      for (const { email } of [MIA, NOAH]) expect(text).not.toContain(email)
    }
  })
})

describe('the login of everybody else', () => {
  test('has the users, fields and claims of the options', async () => {
    const people = [{ id: 1, npp: 'A1', code: 'secret', given: 'Ida' }]
    await start({
      data: { people },
      loginUsers: 'people',
      loginFields: { names: ['npp'], password: 'code' },
      tokenClaims: { first: '$user.given', iss: 'nobody' },
      refreshOnce: true,
    })
    const { id_token, access_token } = await client.exchange(
      await client.logIn({}, { username: 'A1', password: 'secret' }),
    )
    expect(said(id_token)).toMatchObject({ sub: '1', first: 'Ida', iss: server.url })
    expect(said(access_token)).toMatchObject({ sub: '1', first: 'Ida' })
  })

  test('has the logins of --user, whose subject is their name', async () => {
    await start({ logins: [{ email: 'me', password: 'secret' }] })
    const made = await client.exchange(await client.logIn({}, { username: 'me', password: 'secret' }))
    expect(said(made.id_token).sub).toBe('me')
    expect(json(await client.get(`${PATH}/userinfo`, made.access_token))).toMatchObject({ sub: 'me' })
  })

  test('has sessions that a logout of the application ends, and its refresh tokens', async () => {
    await start({ logout: '/logout', refresh: '/refresh' })
    const made = await client.exchange(await client.logIn())
    const refreshed = await askJson(server.url, {
      method: 'POST',
      path: '/refresh',
      body: { refresh_token: made.refresh_token },
    })
    expect(refreshed.status).toBe(200)
    const headers = { Authorization: `Bearer ${made.access_token}` }
    expect((await ask(server.url, { method: 'POST', path: '/logout', headers })).status).toBe(200)
    expect(await client.status('/tasks', made.access_token)).toBe(401)
    expect(sentBack(await client.open({ prompt: 'none' })).get('error')).toBe('login_required')
  })
})

describe('what is refused', () => {
  let now: number
  beforeEach(() => {
    now = Date.now()
    return start({ clock: () => now, refresh: '/refresh' })
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
    ['http://localhost/#there'],
    ['http://localhost/#'],
    [''],
  ])('nobody is sent to %j, neither with a code nor after a logout', async (address) => {
    for (const answer of [
      await client.open({ redirect_uri: address }),
      await client.logIn({ redirect_uri: address }),
      ...(address === '' ? [] : [await client.logOut({ post_logout_redirect_uri: address })]),
    ]) {
      expect([answer.status, answer.headers.location]).toEqual([400, undefined])
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.text).not.toContain('evil.example')
    }
  })

  test('a browser that reads a backslash as a slash is sent where the server has looked', async () => {
    const { headers } = await client.logIn({ redirect_uri: 'http://localhost:5173\\@evil.example/' })
    expect(String(headers.location)).toMatch(/^http:\/\/localhost:5173\/@evil\.example\//)
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'form_post' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: '' }],
    ['request_not_supported', { request: 'eyJ' }],
    ['request_uri_not_supported', { request_uri: 'http://localhost/' }],
    ['login_required', { prompt: 'none' }],
  ])('the client is told %s for %j', async (error, asked) => {
    const back = await client.open(asked)
    expect([back.status, sentBack(back).get('error'), sentBack(back).get('state')]).toEqual([
      303,
      error,
      'the state',
    ])
  })

  test('a parameter that is sent twice is none', async () => {
    const path = `${PATH}/auth?client_id=spa&redirect_uri=${BACK}&redirect_uri=${BACK}&response_type=code`
    expect((await ask(server.url, { path })).status).toBe(400)
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'another' }],
    ['no verifier', { code_verifier: '' }],
    ['another client', { client_id: 'other' }],
    ['no client', { client_id: '' }],
    ['another address', { redirect_uri: 'http://localhost:5173/callback' }],
  ])('a code is refused with %s', async (_what, fields) => {
    const made = await client.exchange(await client.logIn(), fields)
    expect([made.status, made.error]).toEqual([400, 'invalid_grant'])
  })

  test('a verifier without a challenge is refused: somebody has taken the challenge away', async () => {
    const made = await client.exchange(await client.logIn({ code_challenge: '' }))
    expect([made.status, made.error]).toEqual([400, 'invalid_grant'])
  })

  test('a code that is guessed, or a minute old, is refused', async () => {
    expect((await client.exchange('a'.repeat(43))).error).toBe('invalid_grant')
    const back = await client.logIn()
    now += 60_000
    expect((await client.exchange(back)).error).toBe('invalid_grant')
  })

  test('a code that is used twice ends the session', async () => {
    const back = await client.logIn()
    const made = await client.exchange(back)
    expect(await client.status('/tasks', made.access_token)).toBe(200)
    expect((await client.exchange(back)).error).toBe('invalid_grant')
    expect(await client.status('/tasks', made.access_token)).toBe(401)
    expect((await client.refresh(made.refresh_token)).error).toBe('invalid_grant')
    expect(sentBack(await client.open({ prompt: 'none' })).get('error')).toBe('login_required')
  })

  test('another client gets nothing for a refresh token', async () => {
    const { refresh_token } = await client.exchange(await client.logIn())
    expect((await client.refresh(refresh_token, { client_id: 'other' })).error).toBe('invalid_grant')
    expect((await client.refresh(refresh_token)).status).toBe(200)
  })

  test.each<[string, (made: Tokens) => Promise<unknown>, unknown]>([
    ['an identity opens a route', (made) => client.status('/tasks', made.id_token), 401],
    ['an identity opens the user info', (made) => client.status(`${PATH}/userinfo`, made.id_token), 401],
    ['a refresh token opens a route', (made) => client.status('/tasks', made.refresh_token), 401],
    [
      'a refresh token opens the user info',
      (made) => client.status(`${PATH}/userinfo`, made.refresh_token),
      401,
    ],
    [
      'an access token refreshes',
      async (made) => (await client.refresh(made.access_token)).error,
      'invalid_grant',
    ],
    ['an identity refreshes', async (made) => (await client.refresh(made.id_token)).error, 'invalid_grant'],
    [
      "the browser's own token refreshes",
      async () => (await client.refresh(String(client.browser.cookies.get('openid_session')))).error,
      'invalid_grant',
    ],
    [
      'a refresh token is a code',
      async (made) => (await client.exchange(made.refresh_token)).error,
      'invalid_grant',
    ],
    [
      'a refresh token is the session of a browser',
      async (made) => {
        client.browser.cookies.set('openid_session', made.refresh_token)
        return sentBack(await client.open({ prompt: 'none' })).get('error')
      },
      'login_required',
    ],
    [
      'an access token is a hint of a logout',
      async (made) => {
        await client.logOut({ id_token_hint: made.access_token }, { 'Sec-Fetch-Site': 'cross-site' })
        return client.status('/tasks', made.access_token)
      },
      200,
    ],
  ])('of mixed-up tokens, never: %s', async (_what, attempt, outcome) => {
    expect(await attempt(await client.exchange(await client.logIn()))).toBe(outcome)
  })

  test('a forged Host gets no code, and an address is no host', async () => {
    await client.logIn()
    const forged = await client.open({ redirect_uri: 'http://evil.example/' }, { Host: 'evil.example' })
    expect([forged.status, forged.headers.location]).toEqual([400, undefined])
    for (const Host of ['evil.example/x', 'me@evil.example', '"<x>'])
      expect(
        (await ask(server.url, { path: '/.well-known/openid-configuration', headers: { Host } })).status,
      ).toBe(400)
  })

  test('each error of the token endpoint has the form of RFC 6749, and nobody keeps it', async () => {
    for (const [body, error] of [
      ['grant_type=password', 'unsupported_grant_type'],
      ['', 'unsupported_grant_type'],
      [`x=${'x'.repeat(20_000)}`, 'invalid_request'],
    ]) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await ask(server.url, {
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

describe('beside other options', () => {
  test('fields of other names say the standard claims, and roles and groups stand where each is read', async () => {
    const ida = {
      id: 1,
      email: 'ida@example.com',
      password: 'x',
      firstName: 'Ida',
      avatar: 'a.png',
      groups: ['b'],
    }
    await start({ data: { users: [ida] } })
    const made = await client.exchange(await client.logIn({}, { username: ida.email, password: 'x' }))
    const claims = { given_name: 'Ida', picture: 'a.png', groups: ['b'], realm_access: { roles: ['b'] } }
    expect(said(made.id_token)).toMatchObject(claims)
  })

  test('an issuer of the form of Keycloak grants the scopes that its client does not ask for', async () => {
    await start()
    client = new OpenidClient(server.url, { prefix: '/realms/demo' })
    const made = await client.exchange(await client.logIn({ scope: 'openid' }))
    expect(said(made.access_token)).toMatchObject({
      preferred_username: MIA.email,
      scope: 'openid profile email',
    })
  })

  test.each<[string, Partial<AppOptions>]>([
    [
      'a rewrite rule leads nobody away from it',
      { routes: { '/protocol/*': '/tasks', '/realms/*': '/tasks' } },
    ],
    ['a server that is read-only', { readOnly: true }],
    ['a server on which everything is open', { allow: 'all' }],
    ['a server with middlewares', { middlewares: [(_request, response) => response.status(418).end()] }],
  ])('people log in: %s', async (_what, options) => {
    await start(options)
    client = new OpenidClient(server.url, { prefix: '/realms/demo' })
    expect((await client.open()).status).toBe(200)
    expect((await client.exchange(await client.logIn())).status).toBe(200)
  })

  test('two addresses are two issuers, and the log says what makes them one', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    await start({ log: true })
    await client.exchange(await client.logIn({}, {}, { Host: 'localhost:33000' }))
    await until(() => write.mock.calls.some(([line]) => String(line).includes('--issuer')))
    const logged = write.mock.calls.join('\n')
    write.mockRestore()
    expect(logged).not.toContain(MIA.password)
  })
})

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

describe('sandboxes', () => {
  const sandbox = { 'X-Sandbox': 'mine' }
  beforeEach(() => start({ sandboxes: true }))

  test('a code and a refresh token lead into the one in which they were made', async () => {
    const made = await client.exchange(await client.logIn({}, {}, sandbox))
    expect((await client.get('/tasks', made.access_token)).headers['x-sandbox']).toBe('mine')
    const renewed = await client.refresh(made.refresh_token)
    expect((await client.get('/tasks', renewed.access_token)).headers['x-sandbox']).toBe('mine')
    const headers = { Authorization: `bearer ${made.access_token}` }
    const info = await ask(server.url, { path: `${PATH}/userinfo`, headers })
    expect([info.status, info.headers['x-sandbox']]).toEqual([200, 'mine'])
  })

  test('another one, or the main data, gives nothing for them', async () => {
    const other = { 'X-Sandbox': 'another' }
    expect((await client.exchange(await client.logIn({}, {}, sandbox), {}, other)).error).toBe(
      'invalid_grant',
    )
    expect((await client.exchange(await client.logIn(), {}, other)).error).toBe('invalid_grant')
    const { refresh_token } = await client.exchange(await client.logIn({}, {}, sandbox))
    expect((await client.refresh(refresh_token, {}, other)).error).toBe('invalid_grant')
  })

  test('its time and the end of its sessions act, and its journal has the requests without secrets', async () => {
    const { access_token } = await client.exchange(await client.logIn())
    const admin = { ...sandbox, Authorization: `Bearer ${access_token}` }
    const control = (line: string, body: unknown) => client.browser.send(line, body, admin)
    client.browser.cookies.clear()
    const made = await client.exchange(await client.logIn({}, {}, sandbox))
    const journal = await ask(server.url, { path: '/__sandbox/requests', headers: admin })
    expect(journal.text).toContain(`${PATH}/token`)
    for (const secret of [MIA.password, made.refresh_token]) expect(journal.text).not.toContain(secret)
    expect((await control('PUT /__sandbox/clock', { advance: '61m' })).status).toBe(204)
    expect(await client.status('/tasks', made.access_token)).toBe(401)
    const renewed = await client.refresh(made.refresh_token)
    expect(await client.status('/tasks', renewed.access_token)).toBe(200)
    // The times of an identity are those of the clock of the wall.
    expect(Number(said(renewed.id_token).iat)).toBeLessThanOrEqual(Date.now() / 1000)
    expect(Number(said(renewed.id_token).auth_time)).toBeLessThanOrEqual(Date.now() / 1000)
    expect((await control('DELETE /__sandbox/sessions', undefined)).status).toBe(204)
    expect((await client.refresh(renewed.refresh_token)).error).toBe('invalid_grant')
    expect(sentBack(await client.open({ prompt: 'none' }, sandbox)).get('error')).toBe('login_required')
  })
})

describe('names', () => {
  test('an issuer that is named is what tokens say, while the endpoints are where they were asked', async () => {
    await start({ issuer: 'http://mock:33000' })
    const { issuer, token_endpoint } = await configurationAt()
    expect([issuer, token_endpoint]).toEqual(['http://mock:33000', `${server.url}${PATH}/token`])
    const made = await client.exchange(await client.logIn())
    expect(said(made.id_token).iss).toBe('http://mock:33000')
  })

  test('behind a proxy that ends https, the endpoints are those of the issuer', async () => {
    await start({ issuer: 'https://mock.example' })
    const { token_endpoint } = await configurationAt('', { Host: 'mock.example' })
    expect(token_endpoint).toBe(`https://mock.example${PATH}/token`)
  })

  test.each(['mock:33000', 'ftp://mock', 'http://mock?x', 'http://me@mock', ''])(
    '%j is no issuer',
    async (issuer) => {
      await start()
      await expect(serveProvider({ issuer })).rejects.toThrow(TypeError)
    },
  )

  test.each<[AppOptions['allowedHosts'], string, number]>([
    [['myapp://'], 'myapp://callback', 303],
    [['exp://'], 'exp://192.168.1.5:8081/--/', 303],
    [['myapp://'], 'other://callback', 400],
    [['app.example'], 'https://app.example:8443/callback', 303],
    [['app.example'], 'https://evil.example/', 400],
    ['all', 'https://any.example/', 303],
    ['all', 'javascript://localhost/', 400],
  ])('with --allow-host %j, %s gets %d', async (allowedHosts, redirect_uri, status) => {
    await start({ allowedHosts })
    expect((await client.logIn({ redirect_uri })).status).toBe(status)
  })
})

test('without the flag, the endpoints are paths like any other', async () => {
  await start({ openid: false })
  for (const path of ['/.well-known/openid-configuration', `${PATH}/auth`, `${PATH}/token`])
    expect((await ask(server.url, { path, method: path.endsWith('token') ? 'POST' : 'GET' })).status).toBe(
      401,
    )
})
