import { createApp } from '../../server'
import { sampleData } from '../support/data'

const data = sampleData()

test.each<[string, unknown, string]>([
  ['logins', { email: 'a', password: 'secret' }, 'logins: [Object] must be an array.'],
  ['middlewares', {}, 'middlewares: {} must be an array.'],
  ['middlewares', null, 'middlewares: null must be an array.'],
  ['static', 5, 'static: 5 must be a string.'],
  ['publicCollection', 5, 'publicCollection: 5 must be a string or false.'],
  ['publicCollection', true, 'publicCollection: true must be a string or false.'],
  ['routes', 'routes.json', "routes: 'routes.json' must be an object or a function."],
  ['routes', null, 'routes: null must be an object or a function.'],
  ['delay', 'x', "delay: 'x' must be a number."],
  ['tokenLifetime', '3600', "tokenLifetime: '3600' must be a number."],
  ['clock', 5, 'clock: 5 must be a function.'],
  ['readOnly', 'no', "readOnly: 'no' must be true or false."],
  ['cors', { origin: '*' }, 'cors: [Object] must be true or false.'],
])('createApp says what %s must be instead of %j', (name, given, sentence) => {
  const options = { data, log: false }
  Object.assign(options, { [name]: given })
  expect(() => createApp(options)).toThrow(new TypeError(sentence))
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
