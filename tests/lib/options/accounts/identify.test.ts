import { hashSync } from 'bcryptjs'
import { isRecord } from '../../../../lib/is-record'
import { identify } from '../../../../lib/options/accounts/identify'

const ANA = { id: 1, email: 'ana@x.org', username: 'ana', password: 'pa', name: 'Ana', role: 'admin' }
const BO = { id: 2, email: 'bo@x.org', username: 'bo', password: 'pb', name: 'Bo', role: 'user' }
/** Mock users share passwords. */
const CY = { id: 3, email: 'cy@x.org', username: 'cy', password: 'pb', name: 'Cy', role: 'guest' }
const USERS = [ANA, BO, CY]

/** The id of the user, or the reason why it is nobody. */
async function who(body: object, users: readonly unknown[] = USERS): Promise<unknown> {
  if (!isRecord(body)) throw new TypeError('No body.')
  const found = await identify(body, [users])
  return found.user?.id ?? found.reason
}

/** As a parser makes it: even `__proto__` is a field. */
const parsed = (text: string): object => JSON.parse(text)

test.each([
  { body: { email: 'ana@x.org', password: 'pa' } },
  { body: { username: 'ana', password: 'pa' } },
  { body: { username: 'ana', pass: 'pa' } },
  { body: { username: 'ana', passwd: 'pa' } },
  { body: { username: 'ana', senha: 'pa' } },
  { body: { username: 'ana', contraseña: 'pa' } },
  { body: { username: 'ana', mot_de_passe: 'pa' } },
  { body: { username: 'ana', Password: 'pa' } },
  { body: { username: 'ana@x.org', password: 'pa' } },
  { body: { email: 'ana', password: 'pa' } },
  { body: { name: 'Ana', password: 'pa' } },
  { body: { id: 1, password: 'pa' } },
  { body: { id: '1', password: 'pa' } },
  { body: { identifier: 'ana@x.org', password: 'pa' } },
  { body: { user: 'ana', password: 'pa' } },
  { body: { userId: 'ana', password: 'pa' } },
  { body: { usuario: 'ana', clave: 'pa' } },
  { body: { username: 'ana', email: 'ana@x.org', password: 'pa' } },
  { body: { username: 'ana', password: 'pa', grant_type: 'password', scope: 'api', client_id: 'web' } },
  {
    body: { username: 'ana', password: 'pa', csrfToken: 'x', callbackUrl: 'http://localhost', json: 'true' },
  },
  { body: { username: 'ana', password: 'pa', remember: true, device: { id: 2 }, email: '', name: null } },
])('$body is Ana', async ({ body }) => {
  expect(await who(body)).toBe(1)
})

test.each([
  // Nothing says who it is, or nothing that people do not share.
  '{}',
  '{"password": "pa"}',
  '{"role": "admin", "password": "pa"}',
  '{"role": "admin", "roles": "admin", "type": "admin", "status": "1", "password": "pa"}',
  '{"username": "", "password": "pa"}',
  '{"username": "ana", "password": ""}',
  '{"username": "ana"}',
  '{"email": "ana@x.org", "username": "ana", "name": "Ana", "id": 1}',
  // Each identity that the user has must be the same.
  '{"email": "bo@x.org", "username": "ana", "password": "pa"}',
  '{"email": "ana@x.org", "username": "nobody", "password": "pa"}',
  '{"username": "ana", "password": "pa", "pin": "1"}',
  '{"username": "ana", "password": "pb"}',
  // No other texts and numbers than the body's own count.
  '{"username": ["ana"], "password": "pa"}',
  '{"username": {"toString": "ana"}, "password": "pa"}',
  '{"username": "ana", "password": ["pa"]}',
  '{"username": true, "password": "pa"}',
  '{"__proto__": {"username": "ana"}, "password": "pa"}',
  '{"constructor": "ana", "password": "x"}',
  '{"toString": "x", "password": "pa"}',
  '{"hasOwnProperty": 1, "__proto__": "x", "password": "pa"}',
])('%s is nobody', async (text) => {
  expect(typeof (await who(parsed(text)))).toBe('string')
})

test('what two users share says nothing of who it is, whatever its name, and what no two share does', async () => {
  const users = [
    { id: 1, badge: 'red', team: 'north', password: 'pa' },
    { id: 2, badge: 'blue', team: 'north', password: 'pb' },
    { id: 3, badge: 'green', password: 'pc' },
  ]
  expect(await who({ team: 'north', password: 'pa' }, users)).toEqual(expect.any(String))
  expect(await who({ badge: 'red', password: 'pa' }, users)).toBe(1)
})

test('a role says nothing of who it is, even where it is the only one of its kind', async () => {
  expect(await who({ role: 'guest', email: 'bo@x.org', password: 'pb' })).toBe(2)
  expect(await who({ role: 'guest', password: 'pb' })).toEqual(expect.any(String))
})

test('a value that people share is no identity, and of a password that two have neither is taken', async () => {
  const users = [
    { id: 1, city: 'Bern', code: 'b1', password: 'x' },
    { id: 2, city: 'Bern', code: 'b2', password: 'x' },
  ]
  expect(await who({ city: 'Bern', password: 'x' }, users)).toEqual(expect.any(String))
  expect(await who({ code: 'b2', password: 'x' }, users)).toBe(2)
  const twins = [
    { id: 1, username: 'a', password: 'x' },
    { id: 2, username: 'a', password: 'x' },
  ]
  expect(await who({ username: 'a', password: 'x' }, twins)).toMatch(/^2 users/)
})

test('an identity that somebody has is not compared with the other names', async () => {
  const users = [
    { id: 1, username: 'x', password: 'one' },
    { id: 2, username: 'y', email: 'x', password: 'two' },
  ]
  expect(await who({ username: 'x', password: 'two' }, users)).toEqual(expect.any(String))
})

test('a password is compared with the field of its name, or else with the only one', async () => {
  const users = [
    { id: 1, phone: 41, password: 'p', otp: '123456' },
    { id: 2, phone: '42', pin: 1234 },
    { id: 3, phone: '43', code: hashSync('1234', 4) },
  ]
  expect(await who({ phone: '41', otp: 123456 }, users)).toBe(1)
  expect(await who({ phone: 41, password: 'p', otp: '123456' }, users)).toBe(1)
  expect(await who({ phone: 41, password: 'p', otp: '0' }, users)).toEqual(expect.any(String))
  // Which of the two is meant, nobody knows.
  expect(await who({ phone: 41, secret: 'p' }, users)).toEqual(expect.any(String))
  expect(await who({ phone: 42, code: '1234' }, users)).toBe(2)
  expect(await who({ phone: 42, otpCode: '1234' }, users)).toBe(2)
  expect(await who({ phone: 43, code: '1234' }, users)).toBe(3)
  expect(await who({ phone: 43, code: '12345' }, users)).toEqual(expect.any(String))
})

test('a code next to a password must be that of the user, where the user has one of that name', async () => {
  const users = [
    { id: 1, email: 'a', password: 'p', code: '12' },
    { id: 2, email: 'b', password: 'p', otpCode: 34 },
    { id: 3, email: 'c', password: 'p' },
    { id: 4, email: 'd', password: 'p', Code: '56' },
  ]
  expect(await who({ email: 'a', password: 'p', code: '12' }, users)).toBe(1)
  expect(await who({ email: 'a', password: 'p', code: '34' }, users)).toEqual(expect.any(String))
  expect(await who({ email: 'a', code: '12' }, users)).toEqual(expect.any(String))
  expect(await who({ email: 'd', Code: '56' }, users)).toEqual(expect.any(String))
  expect(await who({ email: 'b', otpCode: '34' }, users)).toBe(2)
  expect(await who({ email: 'b', password: 'p', otpCode: '12' }, users)).toEqual(expect.any(String))
  expect(await who({ email: 'c', password: 'p', code: '12' }, users)).toBe(3)
})

test('records that are none, and users without a password, are nobody', async () => {
  const users = [null, 'ana', [], { id: 1, username: 'ana' }, { id: 2, username: 'bo', password: '' }]
  expect(await who({ username: 'ana', password: '' }, users)).toEqual(expect.any(String))
  expect(await who({ username: 'ana', password: 'x' }, users)).toEqual(expect.any(String))
  expect(await who({ username: 'bo', password: 'x' }, users)).toEqual(expect.any(String))
  expect(await who({ username: 'ana', password: 'x' }, [])).toEqual(expect.any(String))
})

test('a reason holds nothing that was sent but names of fields that users have', async () => {
  const body = { username: 'hidden', 'hidden-name': 'hidden', password: 'hidden' }
  for (const users of [USERS, [], [{ ...ANA, username: 'hidden' }]])
    expect(await who(body, users)).not.toContain('hidden')
})

test('a thousand fields are not compared with each of many users', async () => {
  let asked = 0
  const own = (id: number) => ({ id, email: `u${id}@x.org`, password: 'pa' })
  const users = Array.from(
    { length: 1000 },
    (_, id) =>
      new Proxy(own(id), {
        getOwnPropertyDescriptor(user, name) {
          asked += 1
          return Reflect.getOwnPropertyDescriptor(user, name)
        },
      }),
  )
  const fields = Array.from({ length: 1000 }, (_, index) => [`f${index}`, 'x'])
  expect(await who({ ...Object.fromEntries(fields), password: 'pa' }, users)).toEqual(expect.any(String))
  expect(asked).toBeLessThan(50_000)
})
