import { ask, json } from '../../../support/http'
import { MIA, NOAH, openidTests, PATH, said } from './client'

const tests = openidTests()
const IDA = {
  id: 1,
  email: 'ida@example.com',
  password: 'x',
  firstName: 'Ida',
  lastName: 'Lund',
  emailVerified: true,
}
const asIda = async () =>
  tests.client.exchange(await tests.client.logIn({}, { username: IDA.email, password: IDA.password }))

describe('of a user with a first and a last name', () => {
  beforeEach(() => tests.start({ data: { users: [IDA] } }))

  test('tokens say the name, and that the email is verified', async () => {
    const { id_token, access_token } = await asIda()
    const claims = { name: 'Ida Lund', given_name: 'Ida', family_name: 'Lund', email_verified: true }
    expect(said(id_token)).toMatchObject(claims)
    expect(json(await tests.client.get(`${PATH}/userinfo`, access_token))).toMatchObject(claims)
  })

  test('the account has the profile, by a bearer scheme in any case', async () => {
    const { access_token } = await asIda()
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(
        json(
          await ask(tests.url, {
            path: '/realms/x/account',
            headers: { Authorization: `${scheme} ${access_token}` },
          }),
        ),
      ).toMatchObject({
        username: IDA.email,
        email: IDA.email,
        firstName: 'Ida',
        lastName: 'Lund',
        emailVerified: true,
      })
  })

  test('the account is nobody’s without a token, and elsewhere a path like any other', async () => {
    const { id_token, access_token } = await asIda()
    expect((await ask(tests.url, { path: '/realms/x/account' })).status).toBe(401)
    expect(await tests.client.status('/realms/x/account', id_token)).toBe(401)
    expect(await tests.client.status('/account', access_token)).toBe(404)
  })
})

test('a name that a record has is not joined', async () => {
  await tests.start({ data: { users: [{ ...IDA, name: 'The Baker', emailVerified: false }] } })
  expect(said((await asIda()).id_token)).toMatchObject({ name: 'The Baker', email_verified: false })
})

test('the page has the ids of Keycloak, into which tests type, and names nobody', async () => {
  await tests.start()
  const { text } = await tests.client.open()
  for (const id of ['username', 'password', 'kc-login']) expect(text).toContain(`id="${id}"`)
  expect(text).toContain('Name or email')
  for (const { email } of [MIA, NOAH]) expect(text).not.toContain(email)
})
