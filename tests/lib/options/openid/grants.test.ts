import { hashSync } from 'bcryptjs'
import { ask, json } from '../../../support/http'
import { MIA, NOAH, openidTests, PATH, said } from './client'

const tests = openidTests()
const PROGRAM = { email: 'ci', password: 'of the build: 100% & more' }
const HASHED = { email: 'hashed', password: hashSync('of the hash', 4) }
const ARGON = { email: 'argon', password: `$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$${'x'.repeat(43)}` }

const tokenBy = (fields: Record<string, string>, headers = {}) => tests.client.token(fields, headers)
const byPassword = (person: Record<string, string> = {}) =>
  tokenBy({ grant_type: 'password', username: MIA.email, password: MIA.password, scope: 'openid', ...person })
const byClient = (client_id: string, client_secret: string) =>
  tokenBy({ grant_type: 'client_credentials', client_id, client_secret })

describe('grant_type=password', () => {
  beforeEach(() => tests.start())

  test('gives the tokens of a user, by the login of the users', async () => {
    const made = await byPassword()
    expect([made.status, said(made.id_token).sub, said(made.access_token).sub]).toEqual([200, '7', '7'])
    expect(await tests.client.status('/tasks', made.access_token)).toBe(200)
    const renewed = await tests.client.refresh(made.refresh_token)
    expect(said(renewed.access_token).sub).toBe('7')
    const byName = await byPassword({ username: NOAH.username, password: NOAH.password })
    expect(said(byName.id_token).sub).toBe('8')
  })

  test.each([[{ password: 'wrong' }], [{ password: '' }], [{ username: '' }], [{ username: NOAH.email }]])(
    'is a 400 invalid_grant for %j',
    async (person: Record<string, string>) => {
      const made = await byPassword(person)
      expect([made.status, made.error, made.access_token]).toEqual([400, 'invalid_grant', ''])
    },
  )

  test.each([
    ['a user', { data: { users: [{ id: 9, username: 'admin', password: 'admin' }], tasks: [] } }],
    ['a login of --user', { logins: [{ email: 'admin', password: 'admin' }] }],
  ])('gives those of %s with one text for the name and the password', async (_who, options) => {
    await tests.close()
    await tests.start(options)
    const made = await byPassword({ username: 'admin', password: 'admin' })
    const renewed = await tests.client.refresh(made.refresh_token)
    for (const { access_token } of [made, renewed])
      for (const path of ['/auth/me', '/tasks', `${PATH}/userinfo`])
        expect([path, await tests.client.status(path, access_token)]).toEqual([path, 200])
  })

  test('is a 400 invalid_grant for a stored hash, of whatever kind', async () => {
    await tests.close()
    const users = [HASHED, ARGON].map((user, index) => ({ ...user, id: index }))
    await tests.start({ data: { users } })
    for (const { email: username, password } of users) {
      const made = await byPassword({ username, password })
      expect([made.status, made.error]).toEqual([400, 'invalid_grant'])
    }
  })

  test('is in the log without the password', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    await tests.close()
    await tests.start({ log: true })
    await byPassword({ password: 'wrong-and-secret' })
    const logged = write.mock.calls.join('\n')
    write.mockRestore()
    expect(logged).not.toContain('wrong-and-secret')
  })
})

describe('grant_type=client_credentials', () => {
  const tasks = [{ id: 1, userId: 7 }, { id: 2, userId: 8 }, { id: 3 }]
  beforeEach(() =>
    tests.start({
      data: { users: [MIA, NOAH], tasks, notes: tasks },
      logins: [PROGRAM, HASHED, ARGON],
      owned: ['tasks'],
      private: ['notes'],
    }),
  )

  test('gives a token to the name and the password of a --user, in the form and in the header', async () => {
    const inForm = await byClient(PROGRAM.email, PROGRAM.password)
    const encoded = `${PROGRAM.email}:${encodeURIComponent(PROGRAM.password)}`
    const Authorization = `Basic ${Buffer.from(encoded).toString('base64')}`
    const inHeader = await tokenBy({ grant_type: 'client_credentials', client_id: '' }, { Authorization })
    for (const made of [inForm, inHeader]) {
      expect([made.status, made.refresh_token, made.id_token]).toEqual([200, '', ''])
      expect(said(made.access_token)).toMatchObject({ sub: 'ci', client_id: 'ci' })
      expect(await tests.client.status('/users', made.access_token)).toBe(200)
    }
  })

  test.each([
    ['any client', 'spa', 'any'],
    ['a user of the data', MIA.email, MIA.password],
    ['a wrong password', PROGRAM.email, 'wrong'],
    ['no password', PROGRAM.email, ''],
    ['nobody', '', ''],
    ['a hash in the place of its password', HASHED.email, HASHED.password],
    ['a hash of another kind in the place of its password', ARGON.email, ARGON.password],
  ])('is a 401 invalid_client for %s', async (_who, name, password) => {
    const made = await byClient(name, password)
    expect([made.status, made.error, made.access_token]).toEqual([401, 'invalid_client', ''])
  })

  test('gives a token to the password whose hash a --user has', async () => {
    expect((await byClient(HASHED.email, 'of the hash')).status).toBe(200)
  })

  test('gives a token that has no user', async () => {
    const { access_token } = await byClient(PROGRAM.email, PROGRAM.password)
    const statuses = []
    for (const path of ['/auth/me', `${PATH}/userinfo`, '/realms/x/account'])
      statuses.push(await tests.client.status(path, access_token))
    expect(statuses).toEqual([404, 403, 403])
    // It has not the rights of the login either, which sees everything.
    const rights = await byPasswordOfProgram()
    expect(JSON.parse((await tests.client.get('/notes', rights)).text)).toHaveLength(3)
  })

  async function byPasswordOfProgram(): Promise<string> {
    return (await byPassword({ username: PROGRAM.email, password: PROGRAM.password })).access_token
  }

  test('has of private and owned lists what nobody has, and is told why', async () => {
    const { access_token } = await byClient(PROGRAM.email, PROGRAM.password)
    const { status, headers } = await tests.client.get('/notes', access_token)
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('has no records')])
    expect(await tests.client.status('/tasks', access_token)).toBe(200)
    const change = (id: number) =>
      ask(tests.url, {
        method: 'DELETE',
        path: `/tasks/${id}`,
        headers: { Authorization: `Bearer ${access_token}` },
      })
    for (const { id } of tasks) expect((await change(id)).status).toBe(401)
  })

  test('a user cannot say to have no user', async () => {
    await tests.close()
    await tests.start({ data: { users: [{ ...MIA, gty: 'client-credentials' }] } })
    const { access_token } = await byPassword()
    expect(json(await tests.client.get('/auth/me', access_token))).toMatchObject({ id: 7 })
  })
})
