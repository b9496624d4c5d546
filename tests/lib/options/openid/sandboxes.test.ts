import type { AppOptions } from '../../../../server'
import { ask, type TestServer } from '../../../support/http'
import { MIA, OpenidClient, PATH, said, sentBack, serveProvider } from './client'

let server: TestServer
let client: OpenidClient

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  server = await serveProvider(options)
  client = new OpenidClient(server.url)
}
afterEach(() => server.close())

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
