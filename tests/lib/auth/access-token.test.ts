import { randomSigningKey, signingKey } from '../../../lib/auth/access-token'
import { createApp } from '../../../server'
import { serveApp } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, authorized, logIn } from '../../support/http'

test('the key is the bytes of the secret', () => {
  expect(signingKey('sécret').export()).toEqual(Buffer.from('sécret'))
})

test('a key is used as it is', () => {
  const key = signingKey('a secret')
  expect(signingKey(key)).toBe(key)
})

test('each random key is different, and has 32 bytes', () => {
  const [one, two] = [randomSigningKey(), randomSigningKey()]
  expect(one.export()).toHaveLength(32)
  expect(one.equals(two)).toBe(false)
})

test('an empty secret is refused, and createApp throws', () => {
  expect(() => signingKey('')).toThrow(TypeError)
  expect(() => createApp({ data: sampleData(), log: false, secret: '' })).toThrow(/secret/)
})

test.each([[undefined], [null], [5], [[1, 2]]])('the secret %j is refused', (secret) => {
  expect(() => Reflect.apply(signingKey, undefined, [secret])).toThrow(/signing secret/)
})

test.each([
  { title: 'the same secret', first: 'a secret', second: 'a secret', status: 200 },
  { title: 'other secrets', first: 'a secret', second: 'b secret', status: 401 },
  { title: 'no secrets', first: undefined, second: undefined, status: 401 },
])('a token of one server at another with $title -> $status', async ({ first, second, status }) => {
  const one = await serveApp({ data: sampleData(), secret: first })
  const two = await serveApp({ data: sampleData(), secret: second })
  const headers = authorized(await logIn(one.url))
  expect((await ask(one.url, { path: '/users', headers })).status).toBe(200)
  expect((await ask(two.url, { path: '/users', headers })).status).toBe(status)
  await Promise.all([one.close(), two.close()])
})
