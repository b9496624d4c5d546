import {
  bearerToken,
  createApp,
  DataFile,
  DataSource,
  FolderData,
  listen,
  login,
  MemoryData,
  PostgresData,
  publicReads,
  rewriter,
  showRules,
  userLookup,
} from '../../server'
import { sampleData } from '../support/data'

const data = sampleData()

test.each<[name: string, given: unknown, shown: string, kind: RegExp]>([
  ['logins', { email: 'a', password: 'secret' }, '[Object]', /array/],
  ['middlewares', {}, '{}', /array/],
  ['middlewares', null, 'null', /array/],
  ['static', 5, '5', /string/],
  ['publicCollection', 5, '5', /string.*false/],
  ['publicCollection', true, 'true', /string.*false/],
  ['routes', 'routes.json', "'routes.json'", /object.*function/],
  ['routes', null, 'null', /object.*function/],
  ['delay', 'x', "'x'", /number/],
  ['delay', 5e9, '5000000000', /from 0 to 999999999/],
  ['delay', -5, '-5', /from 0 to 999999999/],
  ['delay', Number.NaN, 'NaN', /from 0 to 999999999/],
  ['tokenLifetime', '3600', "'3600'", /number/],
  ['clock', 5, '5', /function/],
  ['clock', async () => 5, '[AsyncFunction', /at once/],
  ['routes', async () => ({}), '[AsyncFunction', /object.*at once/],
  ['faults', async () => [], '[AsyncFunction', /array.*at once/],
  ['faults', {}, '{}', /array.*function/],
  ['readOnly', 'no', "'no'", /true.*false/],
  ['cors', { origin: '*' }, '[Object]', /true.*false/],
])('createApp says what %s must be instead of %j', (name, given, shown, kind) => {
  const options = { data, log: false }
  Object.assign(options, { [name]: given })
  expect(() => createApp(options)).toThrow(TypeError)
  expect(() => createApp(options)).toThrow(`${name}: ${shown}`)
  expect(() => createApp(options)).toThrow(kind)
})

test.each([
  [[{ email: '', password: '' }]],
  [[{ email: 'me', password: '' }]],
  [[{ email: 'me' }]],
  [[{ email: 'me', password: 5 }]],
  [[null]],
  [['me:secret']],
])('createApp refuses the logins %j, and does not show them', (logins) => {
  const options = { data, log: false }
  Object.assign(options, { logins: [{ email: 'a', password: 'p' }, ...logins] })
  const make = () => createApp(options)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(/^logins: number 2 must have an email and a password/)
  expect(make).not.toThrow('me:secret')
})

test.each([
  ['alow', 'allow'],
  ['public', undefined],
  ['__proto__x', undefined],
])('createApp refuses the unknown option %s', (name, nearest) => {
  const options = { data, log: false }
  Object.assign(options, { [name]: 'all' })
  expect(() => createApp(options)).toThrow(TypeError)
  expect(() => createApp(options)).toThrow(name)
  if (nearest !== undefined) expect(() => createApp(options)).toThrow(`"${nearest}"`)
})

it('takes undefined for an option that is not given', () => {
  const options = { data, log: false }
  Object.assign(options, { static: undefined, logins: undefined, routes: undefined, delay: undefined })
  expect(() => createApp(options)).not.toThrow()
})

const KEY = 'the signing secret of these tests only'
const users = () => [data.users].flat()

/** The functions of the package that take options, each with those that it needs. */
const FUNCTIONS: Record<string, (wrong: object) => unknown> = {
  login: (wrong) => login({ key: KEY, users, ...wrong }),
  bearerToken: (wrong) => bearerToken({ key: KEY, ...wrong }),
  publicReads: (wrong) =>
    publicReads({ source: { records: users, loaded: users, find: () => null }, ...wrong }),
  userLookup: (wrong) => userLookup(wrong),
  listen: (wrong) => listen(() => undefined, { port: 0, host: 'localhost', ...wrong }),
  DataFile: (wrong) => DataFile.open('not-there.json', wrong),
  FolderData: (wrong) => FolderData.open('not-there', wrong),
  PostgresData: (wrong) => PostgresData.open('postgresql://localhost:1/none', wrong),
  DataSource: (wrong) => new DataSource(data, {}, wrong),
  MemoryData: (wrong) => new MemoryData(data, wrong),
}

test.each<[from: string, name: string, given: unknown, problem: RegExp]>([
  ['login', 'anyPassword', 'no', /'no' must be true or false/],
  ['login', 'refreshOnce', 'no', /'no' must be true or false/],
  ['login', 'clock', 5, /function/],
  ['login', 'users', [], /function that returns at once/],
  ['login', 'addUser', {}, /function/],
  ['login', 'idProperty', 5, /string/],
  ['login', 'lifetime', '60', /number/],
  ['login', 'logn', '/x', /did you mean "login"/],
  ['login', 'loginUsers', 'people', /no option "loginUsers"/],
  ['bearerToken', 'clock', 5, /function/],
  ['bearerToken', 'tokenin', 'x-token', /did you mean "tokenIn"/],
  ['publicReads', 'collection', 5, /string/],
  ['publicReads', 'source', users, /object/],
  ['publicReads', 'live', 'yes', /true or false/],
  ['publicReads', 'stream', true, /function/],
  ['userLookup', 'users', {}, /array/],
  ['userLookup', 'user', [], /did you mean "users"/],
  ['listen', 'port', '3000', /number/],
  ['listen', 'hots', 'localhost', /did you mean "host"/],
  ['DataFile', 'warn', 'no', /function/],
  ['FolderData', 'foreignKeySuffix', 5, /string/],
  ['PostgresData', 'fill', {}, /string/],
  ['DataSource', 'lookEvery', '5', /number/],
  ['DataSource', 'lookEvery', 5e9, /from 0 to 999999999/],
  ['DataSource', 'name', 5, /string/],
  ['MemoryData', 'isOwn', 1, /true or false/],
])('%s refuses %s: %j', async (from, name, given, problem) => {
  const refused = await refusalOf(() => FUNCTIONS[from]?.({ [name]: given }))
  expect(refused).toBeInstanceOf(TypeError)
  expect(String(refused)).toMatch(problem)
  expect(String(refused)).toContain(name)
})

test.each([
  ['rewriter', rewriter],
  ['showRules', showRules],
])('%s refuses rules that are neither an object nor a function', (_name, make) => {
  for (const given of ['routes.json', [], async () => ({})])
    expect(() => Reflect.apply(make, undefined, [given])).toThrow(/must be an object or a function/)
})

/** What a call throws, or what its promise is rejected with. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}
