import { createPublicKey, type JsonWebKey } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { ask, askJson, json } from '../../../support/http'
import { MIA, openidTests, PATH, said } from './client'

const tests = openidTests()
const asMia = async (asked = {}) => tests.client.exchange(await tests.client.logIn(asked))

/** The key that a back end finds for a token. */
async function publishedKeyOf(token: string) {
  const { header } = jwt.decode(token, { complete: true }) ?? {}
  const { keys } = JSON.parse((await ask(tests.url, { path: `${PATH}/certs` })).text)
  const key = keys.find(({ kid }: { kid: string }) => kid === header?.kid)
  return { header, key: createPublicKey({ key, format: 'jwk' }) }
}

describe('an access token', () => {
  test('is signed by a key that is published, and says for whom it is (RFC 9068)', async () => {
    await tests.start()
    const { access_token } = await asMia()
    const { header, key } = await publishedKeyOf(access_token)
    expect(header).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    const claims = jwt.verify(access_token, key, {
      algorithms: ['ES256'],
      issuer: tests.url,
      audience: 'spa',
    })
    expect(claims).toMatchObject({ sub: '7', client_id: 'spa', scope: 'openid profile email' })
    const { keys }: { keys: JsonWebKey[] } = JSON.parse(
      (await ask(tests.url, { path: `${PATH}/certs` })).text,
    )
    for (const published of keys) expect(published).not.toHaveProperty('d')
  })

  test.each([
    [{ audience: 'https://api.example/' }, 'https://api.example/'],
    [{ resource: 'https://api.example/' }, 'https://api.example/'],
  ])('is for what the client asks: %j', async (asked, audience) => {
    await tests.start()
    const made = await asMia(asked)
    expect([said(made.access_token).aud, said(made.id_token).aud]).toEqual([audience, 'spa'])
    const renewed = await tests.client.refresh(made.refresh_token)
    expect(said(renewed.access_token).aud).toBe(audience)
  })

  test('is good beside those of other logins', async () => {
    await tests.start()
    const { access_token } = await asMia()
    const body = { email: MIA.email, password: MIA.password }
    const own = Object(json(await askJson(tests.url, { method: 'POST', path: '/auth/login', body })))
    for (const token of [access_token, String(own.access_token ?? own.token)]) {
      expect(await tests.client.status('/tasks', token)).toBe(200)
      expect(await tests.client.status('/auth/me', token)).toBe(200)
    }
  })

  test('is good after a restart and at a second server, with one secret', async () => {
    const secret = 'a secret that both servers have, of some length'
    await tests.start({ secret })
    const { access_token } = await asMia()
    const { header } = await publishedKeyOf(access_token)
    await tests.close()
    await tests.start({ secret })
    expect(await tests.client.status('/tasks', access_token)).toBe(200)
    expect((await publishedKeyOf(access_token)).header).toEqual(header)
    await tests.close()
    await tests.start({ secret: 'another secret, of which nothing can be derived' })
    expect(await tests.client.status('/tasks', access_token)).toBe(401)
  })

  test('is none of a server without a provider, which knows no such key', async () => {
    const secret = 'a secret that both servers have, of some length'
    await tests.start({ secret })
    const { access_token } = await asMia()
    await tests.close()
    await tests.start({ secret, openid: false })
    expect(await tests.client.status('/tasks', access_token)).toBe(401)
  })
})

describe('a key goes by its name and the type, and never by the algorithm alone', () => {
  const secret = 'a secret that a forger does not have, of some length'
  beforeEach(() => tests.start({ secret }))

  const forged = async (): Promise<[string, string][]> => {
    const { access_token } = await asMia()
    const { header, key } = await publishedKeyOf(access_token)
    const kid = String(header?.kid)
    const claims = { sub: '7', azp: 'spa', exp: Math.floor(Date.now() / 1000) + 60 }
    const pem = key.export({ type: 'spki', format: 'pem' }).toString()
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const [, payload, signature] = access_token.split('.')
    const withHeader = (part: object) => `${encoded(part)}.${payload}.${signature}`
    const hmac = (typ: string) =>
      jwt.sign(claims, pem, { algorithm: 'HS256', header: { alg: 'HS256', typ, kid } })
    return [
      ['the published key as a secret', hmac('at+jwt')],
      ['the published key as a secret, of another type', hmac('JWT')],
      ['none', `${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${encoded(claims)}.`],
      ['another type', withHeader({ ...header, typ: 'JWT' })],
      ['no name of a key', withHeader({ alg: 'ES256', typ: 'at+jwt' })],
      ['another algorithm', withHeader({ ...header, alg: 'HS256' })],
      ['other claims', `${access_token.split('.')[0]}.${encoded({ ...claims, sub: '8' })}.${signature}`],
    ]
  }

  test('nobody gets in with a token that was forged', async () => {
    for (const [what, token] of await forged())
      expect([what, await tests.client.status('/tasks', token)]).toEqual([what, 401])
  })

  test('an identity is no access token, and an access token no hint of a logout', async () => {
    const { id_token, access_token } = await asMia()
    expect(await tests.client.status('/tasks', id_token)).toBe(401)
    await tests.client.logOut({ id_token_hint: access_token }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(await tests.client.status('/tasks', access_token)).toBe(200)
  })
})
