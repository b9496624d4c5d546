import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { newFolder, removeFolders, sampleData } from '../../support/data'
import { testOfUnix } from '../../support/platform'
import { killAll, Launched } from '../../support/process'

afterEach(killAll)
afterAll(removeFolders)

const TASKS = [{ id: 1, text: 'Buy tea' }]
const PEOPLE = { users: [{ id: 1, username: 'ada', password: 'lovelace' }], tasks: TASKS }
const REFRESHING = { login: '/in', refresh: '/again' }

/** Pastes what a start prints into a shell, with a password for the word in its place. */
async function paste({ stdout }: Launched): Promise<unknown> {
  const lines = stdout.split('\n').filter((line) => /^ +(TOKEN|curl)/.test(line))
  const script = lines.join('\n').replace('PASSWORD', 'lovelace')
  return JSON.parse((await promisify(execFile)('sh', ['-c', script])).stdout)
}

testOfUnix.each<[string, object, object, unknown]>([
  ['the specified login', sampleData(), {}, sampleData().blogs],
  ['a login of the command line', { tasks: TASKS }, { user: 'me:secret' }, TASKS],
  ['the login of an application', PEOPLE, { login: '/in' }, TASKS],
  ['the usual response, with a refresh token', PEOPLE, REFRESHING, TASKS],
  ['a token in a response of its own', PEOPLE, { login: '/in', 'login-response': { jwt: '$token' } }, TASKS],
  ['a sign-up, where nobody is there yet', { users: [], tasks: TASKS }, { 'sign-up': '/register' }, TASKS],
  [
    'a sign-up by other fields',
    { users: [], tasks: TASKS },
    { 'sign-up': '/register', 'login-fields': { names: ['npp', 'email'], password: 'code' } },
    TASKS,
  ],
  [
    'a login of the command line by other fields',
    { users: [], tasks: TASKS },
    { user: 'me:secret', login: '/in', 'login-fields': { names: ['npp'], password: 'code' } },
    TASKS,
  ],
  ['a token alone', PEOPLE, { login: '/in', 'login-response': '$token' }, TASKS],
  [
    'a token that comes after another',
    PEOPLE,
    { ...REFRESHING, 'login-response': { tokens: ['$refresh', { jwt: '$token' }] } },
    TASKS,
  ],
  [
    'a cookie alone',
    PEOPLE,
    { login: '/in', 'token-in': ['x-token', 'cookie:session'], 'login-response': { ok: true } },
    TASKS,
  ],
  [
    'a cookie beside a response with a refresh token',
    PEOPLE,
    { ...REFRESHING, 'token-in': 'cookie:session', 'login-response': { again: '$refresh' } },
    TASKS,
  ],
  [
    'a refresh token in a cookie',
    PEOPLE,
    { ...REFRESHING, 'refresh-in': 'cookie:again', 'login-response': { jwt: '$token' } },
    TASKS,
  ],
])('two lines that the start prints log in and list: %s', async (_title, data, config, expected) => {
  const { user, ...keys }: { user?: string } = config
  const folder = await newFolder({
    'db.json': JSON.stringify(data),
    'json-server.json': JSON.stringify(keys),
  })
  const args = ['--host', '127.0.0.1', ...(user === undefined ? [] : ['--user', user])]
  const server = await Launched.listening({ folder, args })
  await server.prints(/--help/)
  // The text names the port that was asked for.
  server.stdout = server.stdout.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, server.url)
  expect(await paste(server)).toEqual(expected)
})
