import { createApp } from '../../server'
import { sampleData } from '../support/data'

const data = sampleData()
const array = 'must be an array'
const milliseconds = 'must be a number of milliseconds, from 0 to 2,147,483,647.'

test.each<[string, unknown, string]>([
  [
    'logins',
    { email: 'a', password: 'secret' },
    `logins: [Object] ${array} of objects with an email and a password.`,
  ],
  ['middlewares', {}, `middlewares: {} ${array} of functions.`],
  ['middlewares', null, `middlewares: null ${array} of functions.`],
  ['privateFiles', 'a', `privateFiles: 'a' ${array} of paths.`],
  ['lookupUsers', {}, `lookupUsers: {} ${array} of users.`],
  ['static', 5, 'static: 5 must be the path of a folder.'],
  ['publicCollection', 5, 'publicCollection: 5 must be the name of a collection, or false for none.'],
  ['publicCollection', true, 'publicCollection: true must be the name of a collection, or false for none.'],
  [
    'routes',
    'routes.json',
    "routes: 'routes.json' must be an object of rewrite rules, or a function that returns one.",
  ],
  ['delay', 'x', `delay: 'x' ${milliseconds}`],
  ['delay', -1, `delay: -1 ${milliseconds}`],
  ['delay', Number.NaN, `delay: NaN ${milliseconds}`],
  ['delay', Number.POSITIVE_INFINITY, `delay: Infinity ${milliseconds}`],
  ['delay', 2 ** 31, `delay: 2147483648 ${milliseconds}`],
  ['clock', 5, 'clock: 5 must be a function that returns milliseconds.'],
  ['idProperty', 5, 'idProperty: 5 must be a text that is not empty.'],
  ['foreignKeySuffix', '', "foreignKeySuffix: '' must be a text that is not empty."],
  ['title', 5, 'title: 5 must be a text.'],
  ['readOnly', 'no', "readOnly: 'no' must be true or false."],
  ['cors', { origin: '*' }, 'cors: [Object] must be true or false.'],
])('createApp says what %s must be instead of %j', (name, given, sentence) => {
  const options = { data, log: false }
  Object.assign(options, { [name]: given })
  expect(() => createApp(options)).toThrow(new TypeError(sentence))
})

it('takes the longest delay that a timer has', () => {
  expect(() => createApp({ data, log: false, delay: 2 ** 31 - 1 })).not.toThrow()
})

it('takes undefined for an option that is not given', () => {
  const options = { data, log: false }
  Object.assign(options, { static: undefined, logins: undefined, routes: undefined, delay: undefined })
  expect(() => createApp(options)).not.toThrow()
})
