import { createPublicKey } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { AppOptions } from '../../../../server'
import { ask, askJson, json, until } from '../../../support/http'
import { MIA, NOAH, OpenidClient, openidTests, PATH, said, sentBack, serveProvider } from './client'

const tests = openidTests()

async function configurationAt(prefix = '', headers = {}): Promise<Record<string, string>> {
  const answer = await ask(tests.url, { path: `${prefix}/.well-known/openid-configuration`, headers })
  return JSON.parse(answer.text)
}

describe('a login', () => {
  beforeEach(() => tests.start({ sandboxes: true }))

  test.each(['', '/realms/demo', '/oauth2/default'])(
    'at the issuer with the path "%s" gives an identity that its published key has signed, and a token that opens the resources',
    async (prefix) => {
      tests.client = new OpenidClient(tests.url, { prefix })
      const back = await tests.client.logIn()
      expect([back.status, sentBack(back).get('state'), sentBack(back).get('from')]).toEqual([
        303,
        'the state',
        'login',
      ])
      const made = await tests.client.exchange(back)
      expect(made.status).toBe(200)
      const { issuer, jwks_uri, authorization_endpoint } = await configurationAt(prefix)
      expect(issuer).toBe(tests.url + prefix)
      expect(authorization_endpoint).toBe(`${tests.url}${prefix}${PATH}/auth`)
      const { keys } = JSON.parse((await ask(tests.url, { path: new URL(String(jwks_uri)).pathname })).text)
      const key = createPublicKey({ key: keys[0], format: 'jwk' })
      const options = { audience: 'spa', nonce: 'the nonce', issuer: tests.url + prefix }
      const identity = jwt.verify(made.id_token, key, { ...options, algorithms: ['RS256'] })
      expect(identity).toMatchObject({
        sub: '7',
        name: 'Mia',
        email: MIA.email,
        preferred_username: MIA.email,
      })
      expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
    },
  )

  test('says no password in any token, and has its roles where clients read them', async () => {
    const { id_token, access_token } = await tests.client.exchange(await tests.client.logIn())
    for (const token of [id_token, access_token]) {
      expect(said(token)).toMatchObject({ realm_access: { roles: ['admin'] }, groups: ['admin'] })
      expect(JSON.stringify(said(token))).not.toContain(MIA.password)
    }
  })

  test('says of the standard claims only those whose scopes are asked for', async () => {
    const { id_token, access_token } = await tests.client.exchange(
      await tests.client.logIn({ scope: 'openid email' }),
    )
    expect(said(id_token)).toMatchObject({ sub: '7', email: MIA.email })
    expect(said(id_token)).not.toHaveProperty('name')
    expect(said(id_token)).not.toHaveProperty('names_hash')
    const info = json(await tests.client.get(`${PATH}/userinfo`, access_token))
    expect(info).toMatchObject({ sub: '7', email: MIA.email })
    expect(info).not.toHaveProperty('name')
    const without = await tests.client.exchange(await tests.client.logIn({ scope: 'profile' }))
    expect([without.status, without.id_token]).toEqual([200, ''])
  })

  test('without PKCE, by a client with a secret, is one as well', async () => {
    const back = await tests.client.logIn({ code_challenge: '', code_challenge_method: '', client_id: 'a b' })
    const headers = { Authorization: `Basic ${Buffer.from('a+b:any%20secret').toString('base64')}` }
    const made = await tests.client.exchange(back, { client_id: '', code_verifier: '' }, headers)
    expect([made.status, said(made.id_token).aud]).toEqual([200, 'a b'])
  })

  test('can send the browser back with a fragment', async () => {
    const back = await tests.client.logIn({ response_mode: 'fragment' })
    expect(back.headers.location).toMatch(
      /^http:\/\/localhost:5173\/callback\?from=login#code=[\w-]+&session_state=[\w.-]+&state=the\+state$/,
    )
  })

  test('takes any name of a user, and no other password', async () => {
    const noah = { username: NOAH.username, password: NOAH.password }
    expect(said((await tests.client.exchange(await tests.client.logIn({}, noah))).id_token).sub).toBe('8')
    const wrong: Record<string, string>[] = [
      { password: 'wrong' },
      { password: '' },
      { username: '' },
      { username: NOAH.email },
    ]
    for (const person of wrong) expect((await tests.client.logIn({}, person)).status).toBe(401)
  })

  test('shows a page that says what is wrong, repeats a name as text, and lists nobody', async () => {
    const page = await tests.client.open({ login_hint: '"><script>' })
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const refused = await tests.client.logIn({}, { username: '"><script>', password: 'x' })
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
    await tests.start({
      data: { people },
      loginUsers: 'people',
      loginFields: { names: ['npp'], password: 'code' },
      tokenClaims: { first: '$user.given' },
      refreshOnce: true,
    })
    const { id_token, access_token } = await tests.client.exchange(
      await tests.client.logIn({}, { username: 'A1', password: 'secret' }),
    )
    expect(said(id_token)).toMatchObject({ sub: '1', first: 'Ida', iss: tests.url })
    expect(said(access_token)).toMatchObject({ sub: '1', first: 'Ida' })
  })

  test('has the logins of --user, whose subject is their name', async () => {
    await tests.start({ logins: [{ email: 'me', password: 'secret' }] })
    const made = await tests.client.exchange(
      await tests.client.logIn({}, { username: 'me', password: 'secret' }),
    )
    expect(said(made.id_token).sub).toBe('me')
    expect(json(await tests.client.get(`${PATH}/userinfo`, made.access_token))).toMatchObject({ sub: 'me' })
  })

  test.each<Partial<AppOptions>>([{}, { refreshIn: 'cookie:r' }])(
    'beside --refresh, each kind of refresh token is good at its own endpoint alone: %o',
    async (options) => {
      await tests.start({ login: '/login', refresh: '/refresh', ...options })
      const logIn = () =>
        askJson(tests.url, {
          method: 'POST',
          path: '/login',
          body: { email: MIA.email, password: MIA.password },
        })
      const own = async () => {
        const answer = await logIn()
        const [, inCookie] = /^r=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '') ?? []
        return inCookie ?? String(Object(json(answer)).refresh_token)
      }
      const ofClient = async () => (await tests.client.exchange(await tests.client.logIn())).refresh_token
      const ofBrowser = async () => {
        await tests.client.logIn()
        return String(tests.client.browser.cookies.get('openid_session'))
      }
      const endpoints = {
        async application(token: string) {
          const body = { refresh_token: token }
          const inBody = await askJson(tests.url, { method: 'POST', path: '/refresh', body })
          const headers = { Cookie: `r=${token}` }
          const inCookie = await ask(tests.url, { method: 'POST', path: '/refresh', headers })
          return inBody.status === 200 || inCookie.status === 200
        },
        client: async (token: string) => (await tests.client.refresh(token)).status === 200,
        async browser(token: string) {
          tests.client.browser.cookies.set('openid_session', token)
          return sentBack(await tests.client.open({ prompt: 'none' })).has('code')
        },
      }
      for (const [kind, make] of Object.entries({ application: own, client: ofClient, browser: ofBrowser })) {
        const good = []
        for (const [endpoint, isGoodAt] of Object.entries(endpoints))
          if (await isGoodAt(await make())) good.push(endpoint)
        expect([kind, good]).toEqual([kind, [kind]])
      }
    },
  )

  test('has sessions that a logout of the application ends', async () => {
    await tests.start({ logout: '/logout' })
    const made = await tests.client.exchange(await tests.client.logIn())
    const headers = { Authorization: `Bearer ${made.access_token}` }
    expect((await ask(tests.url, { method: 'POST', path: '/logout', headers })).status).toBe(200)
    expect(await tests.client.status('/tasks', made.access_token)).toBe(401)
    expect(sentBack(await tests.client.open({ prompt: 'none' })).get('error')).toBe('login_required')
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
    await tests.start({ data: { users: [ida] } })
    const made = await tests.client.exchange(
      await tests.client.logIn({}, { username: ida.email, password: 'x' }),
    )
    const claims = { given_name: 'Ida', picture: 'a.png', groups: ['b'], realm_access: { roles: ['b'] } }
    expect(said(made.id_token)).toMatchObject(claims)
  })

  test('an issuer of the form of Keycloak grants the scopes that its client does not ask for', async () => {
    await tests.start()
    tests.client = new OpenidClient(tests.url, { prefix: '/realms/demo' })
    const made = await tests.client.exchange(await tests.client.logIn({ scope: 'openid' }))
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
    await tests.start(options)
    tests.client = new OpenidClient(tests.url, { prefix: '/realms/demo' })
    expect((await tests.client.open()).status).toBe(200)
    expect((await tests.client.exchange(await tests.client.logIn())).status).toBe(200)
  })

  test('two addresses are two issuers, and the log says what makes them one', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    await tests.start({ log: true })
    await tests.client.exchange(await tests.client.logIn({}, {}, { Host: 'localhost:33000' }))
    await until(() => write.mock.calls.some(([line]) => String(line).includes('--issuer')))
    const logged = write.mock.calls.join('\n')
    write.mockRestore()
    expect(logged).not.toContain(MIA.password)
  })
})

describe('names', () => {
  test('an issuer that is named is what tokens say, while the endpoints are where they were asked', async () => {
    await tests.start({ issuer: 'http://mock:33000' })
    const { issuer, token_endpoint } = await configurationAt()
    expect([issuer, token_endpoint]).toEqual(['http://mock:33000', `${tests.url}${PATH}/token`])
    const made = await tests.client.exchange(await tests.client.logIn())
    expect(said(made.id_token).iss).toBe('http://mock:33000')
  })

  test('behind a proxy that ends https, the endpoints are those of the issuer', async () => {
    await tests.start({ issuer: 'https://mock.example' })
    const { token_endpoint } = await configurationAt('', { Host: 'mock.example' })
    expect(token_endpoint).toBe(`https://mock.example${PATH}/token`)
  })

  test.each(['mock:33000', 'ftp://mock', 'http://mock?x', 'http://me@mock', ''])(
    '%j is no issuer',
    async (issuer) => {
      await tests.start()
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
    await tests.start({ allowedHosts })
    expect((await tests.client.logIn({ redirect_uri })).status).toBe(status)
  })
})

test('without the flag, the endpoints are paths like any other', async () => {
  await tests.start({ openid: false })
  for (const path of ['/.well-known/openid-configuration', `${PATH}/auth`, `${PATH}/token`])
    expect((await ask(tests.url, { path, method: path.endsWith('token') ? 'POST' : 'GET' })).status).toBe(401)
})
