import { ask } from '../../../support/http'
import { MIA, NOAH, openidTests } from './client'

const tests = openidTests()
const ADMIN = { email: 'admin', password: 'of the admin' }

/** Locks somebody, or lets the person in again. */
async function setActive(active: boolean): Promise<void> {
  const admin = await tests.client.token({
    grant_type: 'password',
    username: ADMIN.email,
    password: ADMIN.password,
  })
  const { status } = await ask(tests.url, {
    method: 'PATCH',
    path: '/users/7',
    headers: { Authorization: `Bearer ${admin.access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ active }),
  })
  expect(status).toBe(200)
}

beforeEach(() =>
  tests.start({
    data: { users: [{ ...MIA, active: true }, NOAH], tasks: [{ id: 1 }] },
    logins: [ADMIN],
    loginIf: { active: true },
    refreshOnce: true,
  }),
)

test('a code and a refresh token of somebody who is locked and let in again are not used up', async () => {
  const back = await tests.client.logIn()
  await setActive(false)
  expect((await tests.client.exchange(back)).error).toBe('invalid_grant')
  await setActive(true)
  const made = await tests.client.exchange(back)
  expect(made.status).toBe(200)
  await setActive(false)
  for (const _attempt of [1, 2])
    expect((await tests.client.refresh(made.refresh_token)).error).toBe('invalid_grant')
  await setActive(true)
  const renewed = await tests.client.refresh(made.refresh_token)
  expect(renewed.status).toBe(200)
  for (const { access_token } of [made, renewed])
    expect(await tests.client.status('/tasks', access_token)).toBe(200)
})
