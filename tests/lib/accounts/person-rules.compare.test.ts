import { hashSync } from 'bcryptjs'
import fc from 'fast-check'
import { isHash } from '../../../lib/auth/hash-pattern'
import { type LoginFields, PersonFields, type User } from '../../../lib/auth/person-fields'
import { labelOf } from '../../../lib/labels'
import { valueAt } from '../../../lib/value-at'
import { MemoryData } from '../../../server'
import { serveApp } from '../../support/app'
import { askJson, logIn, type TestServer } from '../../support/http'
import { quickHashes } from '../../support/quick-hashes'
import { runs } from '../../support/random'

const ANA = { id: 1, email: 'ana@x.org', password: 'pa' }
const LABELS = ['password', 'pwd', 'code', 'digest', 'secret', 'confirmPassword', 'role']
const HASHES = [hashSync('old', 4), `$argon2id$v=19$m=1,t=1,p=1$c2FsdA$${'x'.repeat(43)}`]

const sentValue = fc.oneof(fc.constantFrom('c1', 'c2'), fc.constantFrom('', null, false, 3))
const storedValue = fc.oneof(sentValue, fc.constantFrom(...HASHES))

/** Some fields, and maybe an object with others. */
function someFields(value: fc.Arbitrary<unknown>): fc.Arbitrary<User> {
  const fields = fc.dictionary(fc.constantFrom(...LABELS), value, { maxKeys: 4 })
  const account = fc.option(fc.oneof(fields, value), { nil: undefined })
  return fc
    .tuple(fields, account)
    .map(([top, inside]) => (inside === undefined ? top : { ...top, account: inside }))
}

const line = fc.oneof(
  fc.tuple(
    fc.constantFrom('PATCH', 'PUT'),
    fc.constantFrom('/users/2', '/users//2', '/USERS/2/', '/users/%32?a=1'),
  ),
  fc.tuple(fc.constantFrom('PATCH', 'PUT', 'POST'), fc.constantFrom('/users/2/account', '/users/2/account/')),
)

quickHashes()
let server: TestServer
afterEach(() => server.close())

test.each<LoginFields>([
  {},
  { password: 'account.password' },
  { password: 'account.code' },
  { password: 'secret' },
])(
  'with %j, no change puts a text in the place of a hash, and none without a password loses one',
  async (loginFields) => {
    const fields = new PersonFields(loginFields)
    const data = new MemoryData({ users: [ANA] })
    server = await serveApp({ data, login: '/login', loginFields })
    const headers = { Authorization: `Bearer ${await logIn(server.url, ANA)}` }
    let changes = 0
    const property = fc.asyncProperty(
      someFields(storedValue),
      someFields(sentValue),
      line,
      async (stored, sent, [method, path]) => {
        const before = { ...stored, id: 2 }
        data.replace({ users: [ANA, before] })
        const { status } = await askJson(server.url, { method, path, headers, body: sent })
        if (status >= 300) return
        changes += 1
        const after: User = Object(data.records('users')?.[1])
        const [was, is] = [fields.passwordOf(before), fields.passwordOf(after)]
        if (isHash(was)) expect(isHash(is)).toBe(true)
        const isInside = path.includes('account')
        const whole = isInside ? { account: sent } : sent
        const place = fields.passwordPathOf(before) ?? []
        const isSent = [whole, isInside ? {} : sent, Object(whole.account)].some((part: User) =>
          Object.entries(part).some(
            ([name, value]) =>
              fields.isPassword(labelOf(name)) && value !== '' && value !== null && value !== false,
          ),
        )
        const isReplaced = !['', null, undefined, false].some((value) => value === valueAt(whole, place))
        if (was !== '' && !isSent && !isReplaced) expect(is).toBe(was)
      },
    )
    await fc.assert(property, runs(1500))
    expect(changes).toBeGreaterThan(500)
  },
)
