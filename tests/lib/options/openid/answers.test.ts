import { json } from '../../../support/http'
import { BACK, openidTests, sentBack } from './client'

const tests = openidTests()
beforeEach(() => tests.start())

const ROUTED = 'http://localhost:5173/app?a=1#/orders'

/** What a page in a frame says to the page around it, and to which origin. */
function messageIn(page: string): unknown {
  const [, message = '', origin = ''] = /postMessage\((.*), ("[^"]*")\)<\/script>$/.exec(page) ?? []
  return [JSON.parse(message), JSON.parse(origin)]
}

describe('an address with a fragment', () => {
  test('is taken, with the same and without it at the token endpoint', async () => {
    for (const redirect_uri of [ROUTED, 'http://localhost:5173/app?a=1']) {
      const back = await tests.client.logIn({ redirect_uri: ROUTED })
      expect((await tests.client.exchange(back, { redirect_uri })).status).toBe(200)
    }
    const other = await tests.client.logIn({ redirect_uri: ROUTED })
    const made = await tests.client.exchange(other, { redirect_uri: 'http://localhost:5173/app' })
    expect(made.error).toBe('invalid_grant')
  })

  test('keeps it behind an answer in the query', async () => {
    const { headers } = await tests.client.logIn({ redirect_uri: ROUTED })
    const back = new URL(String(headers.location))
    expect([back.hash, back.searchParams.get('a')]).toEqual(['#/orders', '1'])
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })

  test('has an answer in the fragment behind it, in the place of an old one', async () => {
    for (const fragment of ['/orders', '/orders&state=old&code=old&session_state=old', '/orders&error=x']) {
      const redirect_uri = `http://localhost:5173/app#${fragment}`
      const { headers } = await tests.client.logIn({ redirect_uri, response_mode: 'fragment' })
      const [, said = ''] = String(headers.location).split('#')
      expect(said).toMatch(/^\/orders&/)
      const names = said.split('&').map((part) => part.split('=')[0])
      expect(names.sort()).toEqual(['/orders', 'code', 'session_state', 'state'])
      expect(new URLSearchParams(said).get('state')).toBe('the state')
    }
  })

  test.each([
    ['/中', '/%E4%B8%AD'],
    ['a\r\nX: y', 'aX:%20y'],
    ['a\0b', 'a%00b'],
  ])('goes back as browsers write it: %j', async (fragment, written) => {
    const address = `http://localhost:5173/app#${fragment}`
    const { status, headers } = await tests.client.logIn({ redirect_uri: address })
    expect([status, new URL(String(headers.location)).hash]).toEqual([303, `#${written}`])
    const after = await tests.client.logOut({ post_logout_redirect_uri: address })
    expect([after.status, after.headers.location]).toEqual([303, `http://localhost:5173/app#${written}`])
  })

  test('is led back to after a logout', async () => {
    const { headers } = await tests.client.logOut({ post_logout_redirect_uri: ROUTED, state: 's' })
    expect(headers.location).toBe('http://localhost:5173/app?a=1&state=s#/orders')
  })
})

test('form_post sends the code by a form, and an error as well', async () => {
  const page = await tests.client.logIn({ response_mode: 'form_post' })
  expect([page.status, page.headers.location]).toEqual([200, undefined])
  expect(page.text).toContain('method="post" action="http://localhost:5173/callback?from=login"')
  const [, code = ''] = /name="code" value="([\w-]+)"/.exec(page.text) ?? []
  expect((await tests.client.exchange(code)).status).toBe(200)
  const state = '"><script>alert(1)</script>'
  const refused = await tests.client.open({ response_mode: 'form_post', response_type: 'id_token', state })
  expect(refused.text).toContain('value="unsupported_response_type"')
  expect(refused.text).not.toContain('<script>alert')
})

test('web_message tells the page around it, whose origin is that of the address', async () => {
  const asked = { response_mode: 'web_message', prompt: 'none' }
  const type = 'authorization_response'
  const before = await tests.client.open(asked)
  expect(messageIn(before.text)).toEqual([
    { type, response: expect.objectContaining({ error: 'login_required', state: 'the state' }) },
    'http://localhost:5173',
  ])
  await tests.client.logIn()
  const [message] = [messageIn((await tests.client.open(asked)).text)].flat()
  const { code } = Object(message).response
  expect((await tests.client.exchange(String(code))).status).toBe(200)
  const state = '</script><script>alert(1)</script>'
  expect((await tests.client.open({ ...asked, state })).text).not.toContain('<script>alert')
})

test('for the response type of express-openid-connect, the description says which option to set', async () => {
  const back = await tests.client.open({ response_type: 'id_token' })
  expect(sentBack(back).get('error_description')).toContain("authorizationParams: { response_type: 'code' }")
})

test('returnTo leads back after a logout, where post_logout_redirect_uri is not said', async () => {
  expect((await tests.client.logOut({ returnTo: BACK })).headers.location).toBe(BACK)
  const evil = await tests.client.logOut({ returnTo: 'https://evil.example/' })
  expect([evil.status, evil.headers.location]).toEqual([400, undefined])
})

test('the client is told of each way to an answer, and of each grant', async () => {
  const { text } = await tests.client.browser.send('GET /.well-known/openid-configuration')
  expect(JSON.parse(text)).toMatchObject({
    response_modes_supported: ['query', 'fragment', 'form_post', 'web_message'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
  })
  expect(json(await tests.client.form('/token', { grant_type: 'implicit' }))).toMatchObject({
    error_description: expect.stringContaining(
      'authorization_code, refresh_token, password, client_credentials',
    ),
  })
})
