import { hashSync } from 'bcryptjs'
import fc from 'fast-check'
import { type LoginFields, PersonFields } from '../../../lib/auth/person-fields'
import { identifyBy } from '../../support/identify'
import { runs } from '../../support/random'

const ANA = { id: 1, email: 'ana@x.org', userName: 'ana', password: 'pa', name: 'Ana', role: 'admin' }
const BO = { id: 2, email: 'bo@x.org', userName: 'bo', password: 'pb', name: 'Bo', role: 'user' }
/** Mock users share passwords. */
const CY = { id: 3, email: 'cy@x.org', userName: 'cy', password: 'pb', name: 'Cy', role: 'guest' }
const USERS = [ANA, BO, CY]

type Body = Record<string, unknown>

/** The id of the user, or the reason why it is nobody. */
async function who(
  body: Body,
  users: readonly unknown[] = USERS,
  fields: LoginFields = {},
): Promise<unknown> {
  const found = await identifyBy(new PersonFields(fields))(body, [users])
  return found.user?.id ?? found.reason
}

/** As a parser makes it: even `__proto__` is a field. */
const parsed = (text: string): Body => JSON.parse(text)

const NOBODY = expect.any(String)

test.each([
  { body: { email: 'ana@x.org', password: 'pa' } },
  { body: { username: 'ana', password: 'pa' } },
  { body: { user_name: 'ana', passwd: 'pa' } },
  { body: { 'User-Name': 'ana', Password1: 'pa' } },
  { body: { username: 'ana', senha: 'pa' } },
  { body: { username: 'ana', contraseña: 'pa' } },
  { body: { username: 'ana', mot_de_passe: 'pa' } },
  { body: { username: 'ana@x.org', password: 'pa' } },
  { body: { email: 'ana', password: 'pa' } },
  { body: { name: 'Ana', password: 'pa' } },
  { body: { identifier: 'ana@x.org', password: 'pa' } },
  { body: { usuario: 'ana', clave: 'pa' } },
  { body: { user: 'ana', secret: 'pa' } },
  { body: { username: 'ana', email: 'ana@x.org', password: 'pa' } },
  { body: { username: 'ana', password: 'pa', grant_type: 'password', scope: 'api', client_id: 'web' } },
  { body: { username: 'ana', password: 'pa', remember: true, device: { id: 2 }, email: '', name: null } },
  { body: { username: 'ana', password: 'pa', pin: '1' } },
])('$body is Ana', async ({ body }) => {
  expect(await who(body)).toBe(1)
})

test.each([
  '{}',
  '{"password": "pa"}',
  '{"username": "", "password": "pa"}',
  '{"username": "ana", "password": ""}',
  '{"username": "ana", "password": null, "code": "pa"}',
  '{"username": "ana"}',
  '{"email": "ana@x.org", "username": "ana", "name": "Ana", "id": 1}',
  // Each name that the user has must be the same.
  '{"email": "bo@x.org", "username": "ana", "password": "pa"}',
  '{"email": "ana@x.org", "username": "nobody", "password": "pa"}',
  '{"username": "ana", "password": "pb"}',
  // A password that is labelled so is the only one.
  '{"username": "ana", "password": "x", "pin": "pa"}',
  '{"username": "ana", "pwd": "pa", "password": "x"}',
  // No other texts and numbers than the body's own count.
  '{"username": ["ana"], "password": "pa"}',
  '{"username": {"toString": "ana"}, "password": "pa"}',
  '{"username": "ana", "password": ["pa"]}',
  '{"username": true, "password": "pa"}',
  '{"__proto__": {"username": "ana"}, "password": "pa"}',
  '{"constructor": "ana", "password": "x"}',
  '{"hasOwnProperty": 1, "__proto__": "x", "password": "pa"}',
])('%s is nobody', async (text) => {
  expect(await who(parsed(text))).toEqual(NOBODY)
})

test('a field whose label is no name names nobody, unless login-fields names it', async () => {
  const users = [
    { id: 1, badge: 'red', team: 'north', password: 'pa' },
    { id: 2, badge: 'blue', team: 'north', password: 'pb' },
  ]
  for (const body of [{ id: 1 }, { Badge: 'red' }, { team: 'north' }])
    expect(await who({ ...body, password: 'pa' }, users)).toMatch(
      /"(id|badge|team)" names nobody.*login-fields/,
    )
  expect(await who({ Badge: 'red', password: 'pa' }, users, { names: ['badge'] })).toBe(1)
})

describe('of several who are meant, the password tells who it is', () => {
  const NAMESAKES = ['one', 'two', 'three', 'four', 'five'].map((password, index) => ({
    id: index + 1,
    password,
  }))

  test.each([
    ['by a name that decides', { username: 'a' }],
    ['by a name that people share', { name: 'a' }],
    ['by a text that is the name of each', { usuario: 'a' }],
  ])('%s', async (_, name) => {
    const users = NAMESAKES.map((user) => ({ ...user, ...('usuario' in name ? { username: 'a' } : name) }))
    for (const { id, password } of users) expect(await who({ ...name, password }, users)).toBe(id)
    expect(await who({ ...name, password: 'x' }, users)).toMatch(/none of the 5 users/)
    const twins = [...users, { ...users[0], id: 6 }]
    expect(await who({ ...name, password: 'one' }, twins)).toMatch(/that of several users/)
    expect(await who({ ...name, password: 'two' }, twins)).toBe(2)
  })

  test('three hashes are compared, in the order of the data, so that the owner comes before strangers', async () => {
    const hashed = NAMESAKES.map((user) => ({ ...user, name: 'a', password: hashSync(user.password, 4) }))
    expect(await who({ name: 'a', password: 'one' }, hashed)).toBe(1)
    expect(await who({ name: 'a', password: 'three' }, hashed)).toBe(3)
    expect(await who({ name: 'a', password: 'four' }, hashed)).toEqual(NOBODY)
    // The body names the owner last.
    const [owner, ...strangers] = hashed
    const users = [owner, ...strangers.map((stranger) => ({ ...stranger, name: 'password' }))]
    expect(await who({ grant_type: 'password', usuario: 'a', password: 'one' }, users)).toBe(1)
  })

  test('with any password, who has none counts as right', async () => {
    const users = [
      { id: 1, username: 'a', password: 'x' },
      { id: 2, username: 'a' },
    ]
    const identify = identifyBy(new PersonFields(), { anyPassword: true })
    expect((await identify({ username: 'a', password: 'x' }, [users])).user).toBeUndefined()
    expect((await identify({ username: 'a', password: 'y' }, [users])).user).toBe(users[1])
  })
})

test('a name that people share comes before any other field, and of equal passwords that of the one who is named', async () => {
  const users = [
    { id: 1, name: 'Noah', email: 'noah@x.org', role: 'user', password: '123' },
    { id: 2, name: 'admin', email: 'admin@x.org', role: 'admin', password: '123' },
  ]
  expect(await who({ name: 'Noah', role: 'admin', password: '123' }, users)).toBe(1)
  expect(await who({ role: 'admin', name: 'Noah', password: '123' }, users)).toBe(1)
  expect(await who({ usuario: 'Noah', role: 'admin', password: '123' }, users)).toMatch(/several/)
  // Where several are right, no later field decides.
  const three = [...users, { id: 3, name: 'Noah', password: '123' }]
  expect(await who({ name: 'Noah', role: 'admin', password: '123' }, three)).toMatch(/several/)
})

test.each([
  { stranger: { email: 'password' }, body: { grant_type: 'password', name: 'Mia', password: 'sour' } },
  {
    stranger: { email: 'x', grant_type: 'password' },
    body: { grant_type: 'password', name: 'Mia', password: 'sour' },
  },
  {
    stranger: { email: 'x', name: 'password' },
    body: { grant_type: 'password', name: 'Mia', password: 'sour' },
  },
  { stranger: { email: 'x', name: 'Mia' }, body: { name: 'Mia', password: 'sour' } },
  { stranger: { email: 'true' }, body: { remember: 'true', user: 'mia@x.org', password: 'sour' } },
  { stranger: { email: 'acme' }, body: { tenant: 'acme', user: 'mia@x.org', password: 'sour' } },
  {
    stranger: { email: 'password', password: 'Mia' },
    body: { grant_type: 'password', name: 'Mia', geheim: 'sour' },
  },
])("a stranger $stranger takes nobody's place in $body", async ({ stranger, body }) => {
  const mia = { id: 1, name: 'Mia', email: 'mia@x.org', password: 'sour' }
  for (const password of ['stranger', hashSync('stranger', 4)]) {
    const user = { id: 2, password, ...stranger }
    expect(await who(body, [mia, user])).toBe(1)
    expect(await who(body, [user, mia])).toBe(1)
  }
})

test('a name that somebody has under this label is not compared with other names', async () => {
  const users = [
    { id: 1, username: 'x', password: 'one' },
    { id: 2, username: 'y', email: 'x', password: 'two' },
  ]
  expect(await who({ username: 'x', password: 'two' }, users)).toEqual(NOBODY)
})

test.each(['pin', 'pass', 'secret', 'verificationCode', 'otp', 'code'])(
  'a %s beside the password is none',
  async (name) => {
    const users = [{ id: 1, email: 'a', password: 'p', [name]: '12' }]
    expect(await who({ email: 'a', [name]: '12' }, users)).toEqual(NOBODY)
    expect(await who({ email: 'a', password: '12' }, users)).toEqual(NOBODY)
    expect(await who({ email: 'a', password: 'p', [name]: '0' }, users)).toBe(1)
  },
)

test('an empty password is one that nobody has', async () => {
  for (const password of ['', null, false, [], {}]) {
    const users = [{ id: 1, email: 'a', password, code: 'DE' }]
    for (const body of [{ code: 'DE' }, { password: 'DE' }, { password: '' }, { password: String(password) }])
      expect(await who({ email: 'a', ...body }, users)).toEqual(NOBODY)
  }
})

test('without a password, the only hash is one', async () => {
  const hash = hashSync('1234', 4)
  const users = [
    { id: 1, phone: '43', digest: hash },
    { id: 2, phone: '44', digest: hash, other: hash },
  ]
  expect(await who({ phone: 43, code: '1234' }, users)).toBe(1)
  expect(await who({ phone: 43, code: '12345' }, users)).toEqual(NOBODY)
  expect(await who({ phone: 43, digest: hash }, users)).toEqual(NOBODY)
  expect(await who({ phone: 44, code: '1234' }, users)).toEqual(NOBODY)
})

test('a hash that is none of bcrypt is no password, and who has one is not without a password', async () => {
  for (const hash of ['$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', '$2b$10$cut', '$6$salt$hash']) {
    const users = [{ id: 1, email: 'a', digest: hash }]
    for (const field of ['password', 'digest', 'code'])
      expect(await who({ email: 'a', [field]: hash }, users)).toEqual(NOBODY)
  }
})

test('the clearest label is the password, and one without a digit before one with it', async () => {
  const users = [{ id: 1, email: 'a', pwd: 'x', password2: 'old', password: 'real' }]
  expect(await who({ email: 'a', password: 'real' }, users)).toBe(1)
  for (const password of ['old', 'x']) expect(await who({ email: 'a', password }, users)).toEqual(NOBODY)
})

test('a password over the 72 bytes of bcrypt is that of nobody', async () => {
  const users = [{ id: 1, email: 'a', password: hashSync(`${'L'.repeat(72)}`, 4) }]
  expect(await who({ email: 'a', password: 'L'.repeat(72) }, users)).toBe(1)
  expect(await who({ email: 'a', password: `${'L'.repeat(72)}B` }, users)).toEqual(NOBODY)
})

test('at most three hashes are compared for one body', async () => {
  const users = [{ id: 1, email: 'a', hash: hashSync('right', 4) }]
  expect(await who({ email: 'a', x: '1', y: '2', z: 'right' }, users)).toBe(1)
  expect(await who({ email: 'a', w: '0', x: '1', y: '2', z: 'right' }, users)).toEqual(NOBODY)
})

test('login-fields take the place of the usual labels', async () => {
  const users = [
    { id: 1, npp: '100', email: 'a', code: 'x', password: 'y' },
    { id: 2, npp: '200', email: 'b', code: 'z', password: 'y' },
  ]
  const fields = { names: ['npp'], password: 'code' }
  expect(await who({ NPP: 100, code: 'x' }, users, fields)).toBe(1)
  expect(await who({ npp: 100, password: 'y' }, users, fields)).toEqual(NOBODY)
  expect(await who({ npp: 100, anything: 'x' }, users, fields)).toBe(1)
  expect(await who({ npp: '200', email: 'a', code: 'z' }, users, fields)).toBe(2)
})

test('the first twenty texts of a body are looked at', async () => {
  const junk = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'x']))
  expect(await who({ ...junk(18), username: 'ana', password: 'pa' })).toBe(1)
  expect(await who({ ...junk(19), username: 'ana', password: 'pa' })).toEqual(NOBODY)
})

test('records that are none, and users without a password, are nobody', async () => {
  const users = [null, 'ana', [], { id: 1, username: 'ana' }]
  expect(await who({ username: 'ana', password: '' }, users)).toEqual(NOBODY)
  expect(await who({ username: 'ana', password: 'x' }, users)).toMatch(/has no password.*login-fields/)
  expect(await who({ username: 'ana', password: 'x' }, [])).toEqual(NOBODY)
})

test('a reason holds nothing that was sent but labels that people have', async () => {
  const body = { username: 'hidden', 'hidden-name': 'hidden', password: 'hidden' }
  for (const users of [USERS, [], [{ ...ANA, userName: 'hidden' }]])
    expect(await who(body, users)).not.toContain('hidden')
  expect(await who({ hidden: 'ana', password: 'x' })).not.toContain('hidden')
})

test('the names of each record are looked at once for a state, and not at each login', async () => {
  let looks = 0
  const users = Array.from(
    { length: 1000 },
    (_, id) =>
      new Proxy(
        { id, email: `u${id}@x.org`, password: 'pa' },
        {
          ownKeys(user) {
            looks += 1
            return Reflect.ownKeys(user)
          },
        },
      ),
  )
  const identify = identifyBy(new PersonFields())
  await identify({ email: 'u1@x.org', password: 'pa' }, [users])
  const first = looks
  for (let login = 0; login < 20; login += 1)
    expect((await identify({ email: `u${login}@x.org`, password: 'pa' }, [users])).user).toBe(users[login])
  expect(looks - first).toBeLessThan(200)
})

const LABELS =
  'email username login phone name id role city code pin pass password pwd secret token team hash'.split(' ')
const text = fc.constantFrom('a', 'b', 'c', '1', '2', 'x', 'y', '')
const record = fc.dictionary(
  fc.constantFrom(...LABELS),
  fc.oneof(text, fc.integer({ max: 3, min: 0 }), fc.constant(null)),
)

test('nobody is let in without the one password of the user who is meant, whatever users and bodies are', async () => {
  const fields = new PersonFields()
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 5 }), record, async (users, body) => {
      const { user } = await identifyBy(fields)(body, [users])
      if (user === undefined) return
      const password = fields.passwordOf(user)
      expect(password).not.toBe('')
      const labelled = Object.keys(body).filter((name) => fields.isPassword(name))
      const given = labelled.length > 0 ? [fields.passwordOf(body)] : Object.values(body).map(String)
      expect(given).toContain(password)
      // One field says who it is, and another is the password.
      expect(Object.values(body).filter((value) => value !== null && value !== '').length).toBeGreaterThan(1)
      // Each name of the body that the user has is the user's or, else, each is any of the user's names.
      const names = fields.decidingOf(fields.namesOf(body))
      const own = fields.namesOf(user)
      const isOwn = (name: { label: string; text: string }) =>
        own.some(({ label, text: owned }) => label === name.label && owned === name.text)
      const had = names.filter((name) => own.some(({ label }) => label === name.label))
      const isAny = names.every((name) => own.some(({ text: owned }) => owned === name.text))
      expect((had.length > 0 && had.every(isOwn)) || isAny).toBe(true)
    }),
    runs(500),
  )
})
