import { ask } from '../../../support/http'
import { MIA, openidTests, PATH, said, sentBack } from './client'

const tests = openidTests()

describe('sandboxes', () => {
  const sandbox = { 'X-Sandbox': 'mine' }
  beforeEach(() => tests.start({ sandboxes: true }))

  test('a code and a refresh token lead into the one in which they were made', async () => {
    const made = await tests.client.exchange(await tests.client.logIn({}, {}, sandbox))
    expect((await tests.client.get('/tasks', made.access_token)).headers['x-sandbox']).toBe('mine')
    const renewed = await tests.client.refresh(made.refresh_token)
    expect((await tests.client.get('/tasks', renewed.access_token)).headers['x-sandbox']).toBe('mine')
    const headers = { Authorization: `bearer ${made.access_token}` }
    const info = await ask(tests.url, { path: `${PATH}/userinfo`, headers })
    expect([info.status, info.headers['x-sandbox']]).toEqual([200, 'mine'])
  })

  test('another one, or the main data, gives nothing for them', async () => {
    const other = { 'X-Sandbox': 'another' }
    expect((await tests.client.exchange(await tests.client.logIn({}, {}, sandbox), {}, other)).error).toBe(
      'invalid_grant',
    )
    expect((await tests.client.exchange(await tests.client.logIn(), {}, other)).error).toBe('invalid_grant')
    const { refresh_token } = await tests.client.exchange(await tests.client.logIn({}, {}, sandbox))
    expect((await tests.client.refresh(refresh_token, {}, other)).error).toBe('invalid_grant')
  })

  test('another one uses nothing up, with --refresh-once either', async () => {
    await tests.close()
    await tests.start({ sandboxes: true, refreshOnce: true })
    const other = { 'X-Sandbox': 'another' }
    const back = await tests.client.logIn({}, {}, sandbox)
    expect((await tests.client.exchange(back, {}, other)).error).toBe('invalid_grant')
    const made = await tests.client.exchange(back)
    expect(made.status).toBe(200)
    expect((await tests.client.refresh(made.refresh_token, {}, other)).error).toBe('invalid_grant')
    expect((await tests.client.refresh(made.refresh_token)).status).toBe(200)
  })

  test('its time and the end of its sessions act, and its journal has the requests without secrets', async () => {
    const { access_token } = await tests.client.exchange(await tests.client.logIn())
    const admin = { ...sandbox, Authorization: `Bearer ${access_token}` }
    const control = (line: string, body: unknown) => tests.client.browser.send(line, body, admin)
    tests.client.browser.cookies.clear()
    const made = await tests.client.exchange(await tests.client.logIn({}, {}, sandbox))
    const journal = await ask(tests.url, { path: '/__sandbox/requests', headers: admin })
    expect(journal.text).toContain(`${PATH}/token`)
    for (const secret of [MIA.password, made.refresh_token]) expect(journal.text).not.toContain(secret)
    expect((await control('PUT /__sandbox/clock', { advance: '61m' })).status).toBe(204)
    expect(await tests.client.status('/tasks', made.access_token)).toBe(401)
    const renewed = await tests.client.refresh(made.refresh_token)
    expect(await tests.client.status('/tasks', renewed.access_token)).toBe(200)
    // The times of an identity are those of the clock of the wall.
    expect(Number(said(renewed.id_token).iat)).toBeLessThanOrEqual(Date.now() / 1000)
    expect(Number(said(renewed.id_token).auth_time)).toBeLessThanOrEqual(Date.now() / 1000)
    expect((await control('DELETE /__sandbox/sessions', undefined)).status).toBe(204)
    expect((await tests.client.refresh(renewed.refresh_token)).error).toBe('invalid_grant')
    expect(sentBack(await tests.client.open({ prompt: 'none' }, sandbox)).get('error')).toBe('login_required')
  })
})
