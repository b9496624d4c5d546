import { createApp } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, type TestServer } from '../support/http'

/** As a JavaScript program calls it, which no compiler checks. */
function create(...given: unknown[]): unknown {
  return Reflect.apply(createApp, undefined, given)
}

test.each<[name: string, value: unknown, sentence: string]>([
  ['allow', 'GET /posts', `the word "all", or an array such as ["POST /users"], not 'GET /posts'.`],
  ['allow', true, 'the word "all", or an array such as ["POST /users"], not true.'],
  ['allow', null, 'the word "all", or an array such as ["POST /users"], not null.'],
  ['middlewares', () => {}, 'an array, not [Function'],
  ['logins', { email: 'a', password: 'secret' }, 'an array, not [Object].'],
  ['lookupUsers', 'x', "an array, not 'x'."],
  ['privateFiles', 'x', "an array, not 'x'."],
  ['clock', 5, 'a function, not 5.'],
  ['publicCollection', true, 'the name of a collection, or false, not true.'],
  ['publicCollection', null, 'the name of a collection, or false, not null.'],
  ['routes', 'routes.json', "an object of rules, or a function that returns one, not 'routes.json'."],
  ['routes', [], 'an object of rules, or a function that returns one, not [].'],
  ['title', 5, 'a string, not 5.'],
  ['static', true, 'a string that is not empty, not true.'],
  ['static', '', "a string that is not empty, not ''."],
  ['idProperty', 5, 'a string that is not empty, not 5.'],
  ['foreignKeySuffix', {}, 'a string, not {}.'],
  ['delay', '100', "a number of milliseconds, of at least 0, not '100'."],
  ['delay', Number.NaN, 'a number of milliseconds, of at least 0, not NaN.'],
  ['live', 'yes', "true or false, not 'yes'."],
  ['docs', 1, 'true or false, not 1.'],
  ['sandboxes', {}, 'true or false, not {}.'],
  ['readOnly', 'false', "true or false, not 'false'."],
  ['cors', { origin: '*' }, 'true or false, not [Object].'],
  ['gzip', null, 'true or false, not null.'],
  ['log', 'false', "true or false, not 'false'."],
])('the option %s cannot be %p', (name, value, sentence) => {
  expect(() => create({ data: sampleData(), log: false, [name]: value })).toThrow(TypeError)
  expect(() => create({ data: sampleData(), log: false, [name]: value })).toThrow(
    `createApp's option "${name}" must be ${sentence}`,
  )
})

test.each<[name: string, items: unknown[], sentence: string]>([
  ['middlewares', [() => {}, undefined], 'a function, not undefined.'],
  ['middlewares', ['./log.js'], "a function, not './log.js'."],
  ['middlewares', [[() => {}, null]], 'a function, not null.'],
  ['logins', [undefined], 'an object, not undefined.'],
  ['logins', ['ada'], "an object, not 'ada'."],
  ['lookupUsers', [5], 'an object, not 5.'],
  ['privateFiles', [5], 'a string that is not empty, not 5.'],
])('an item of the option %s: %p is refused', (name, items, sentence) => {
  expect(() => create({ data: sampleData(), log: false, [name]: items })).toThrow(
    `Each item of createApp's option "${name}" must be ${sentence}`,
  )
})

test.each([undefined, null, 'db.json', 5])('the options cannot be %p', (options) => {
  expect(() => create(options)).toThrow('The argument of createApp must be an object, not ')
})

test('an option that is undefined has its default', () => {
  expect(() => create({ data: sampleData(), log: false, allow: undefined, static: undefined })).not.toThrow()
})

describe('middlewares in an array of their own, such as those of `jsonServer.defaults()`', () => {
  let server: TestServer
  afterEach(() => server.close())

  test('run, and one that rejects has its error rendered', async () => {
    const nested: unknown = [
      [
        (_request: unknown, _response: unknown, next: () => void) => next(),
        async () => {
          throw Object.assign(new Error('no tea'), { status: 418 })
        },
      ],
    ]
    if (!Array.isArray(nested)) throw new Error('It is an array.')
    server = await serveApp({ data: sampleData(), allow: ['GET /nothing'], middlewares: nested })
    expect((await ask(server.url, { path: '/nothing' })).status).toBe(418)
  })
})
