import { createApp } from '../../server'
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
