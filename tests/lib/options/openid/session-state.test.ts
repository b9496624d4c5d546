import { openidTests, PATH, said, sentBack } from './client'

const tests = openidTests()
const ORIGIN = 'http://localhost:5173'

/** What the page in the frame of a client learns for a state. */
async function check(state: string, asked: Record<string, string> = {}): Promise<string> {
  const parameters = new URLSearchParams({ client_id: 'spa', session_state: state, origin: ORIGIN, ...asked })
  return (await tests.client.browser.send(`GET ${PATH}/login-status-iframe.html?${parameters}`)).text
}

/** Logs in, and gives the state and the id of the session. */
async function logIn() {
  const back = await tests.client.logIn()
  const made = await tests.client.exchange(back)
  return { ...made, state: String(sentBack(back).get('session_state')), sid: String(said(made.id_token).sid) }
}

beforeEach(() => tests.start())

test('it is unchanged while the browser has the session, by its state and by its id', async () => {
  const { state, sid } = await logIn()
  expect(state).toMatch(/^[\w-]{43}\.[\w-]+$/)
  expect([await check(state), await check(sid)]).toEqual(['unchanged', 'unchanged'])
  // Signed in silently, it is the same session, by another salt.
  const again = String(sentBack(await tests.client.open({ prompt: 'none' })).get('session_state'))
  expect(again).not.toBe(state)
  expect([await check(again), await check(state)]).toEqual(['unchanged', 'unchanged'])
})

test('it is changed where the session is another one, or has ended', async () => {
  const first = await logIn()
  await tests.client.logOut({ id_token_hint: first.id_token })
  expect([await check(first.state), await check(first.sid)]).toEqual(['changed', 'changed'])
  const second = await logIn()
  expect([await check(first.state), await check(second.state)]).toEqual(['changed', 'unchanged'])
  await tests.client.form('/revoke', { token: second.refresh_token })
  expect(await check(second.state)).toBe('changed')
})

test('nobody logged in and no session is unchanged, and nobody logged in is changed by a login', async () => {
  expect(await check('')).toBe('unchanged')
  const { state } = await logIn()
  expect([await check(''), await check(state)]).toEqual(['changed', 'unchanged'])
})

test('the state of one client, or of one origin, says nothing to another', async () => {
  const { state } = await logIn()
  expect(await check(state, { client_id: 'other' })).toBe('changed')
  expect(await check(state, { origin: 'http://localhost:9' })).toBe('changed')
})

test('a frame of another site, which sends no cookie, has the page that says unchanged', async () => {
  const page = (site: string) =>
    tests.client.browser.send(`GET ${PATH}/login-status-iframe.html`, undefined, { 'Sec-Fetch-Site': site })
  expect((await page('cross-site')).text).not.toContain('fetch')
  expect((await page('same-site')).text).toContain('fetch')
})
