import type { RequestHandler } from 'express'
import fc from 'fast-check'
import type { Question } from '../support/http'
import { runs } from '../support/random'
import { changedData, requests } from './random-requests'
import { Pair } from './same-as-json-server'

/** The part of a database that these middlewares use. */
interface GivenDatabase {
  _: { mixin(functions: object): void }
  write: unknown
}

/** Both servers have the same middlewares: each is told apart by its application. */
function onceForEach(act: (database: GivenDatabase) => void): RequestHandler {
  const known = new WeakSet<object>()
  return ({ app }, _response, next) => {
    if (!known.has(app)) act(Reflect.get(app, 'db'))
    known.add(app)
    next()
  }
}

const makesIds = onceForEach(({ _ }) => {
  let last = 0
  _.mixin({ createId: () => `made-${++last}` })
})

const savesNothing = onceForEach((database) => Object.assign(database, { write: () => Promise.resolve() }))

/** A method in the query, for clients that send only GET and POST. */
const setsMethod: RequestHandler = (request, _response, next) => {
  const { _method: method, ...query } = request.query
  if (typeof method === 'string') request.headers['x-http-method-override'] = method
  request.query = query
  next()
}

const streams: RequestHandler = (request, response, next) => {
  if (request.query._page !== '1') return next()
  response.type('text/plain').write('one ')
  Reflect.apply(Reflect.get(response, 'flush'), response, [])
  setImmediate(() => response.end(request.url))
}

/** The same change, as a client sends it that sends only GET and POST. */
function byMethodInQuery(question: Question): Question {
  const { method = 'GET', path } = question
  return /^(?:PUT|PATCH|DELETE)$/.test(method)
    ? { ...question, method: 'POST', path: `${path}?_method=${method}` }
    : question
}

it.each<{ what: string; middlewares: RequestHandler[]; change?: (question: Question) => Question }>([
  { what: 'makes ids', middlewares: [makesIds] },
  { what: 'saves nothing', middlewares: [savesNothing] },
  { what: 'sets the method of a POST', middlewares: [setsMethod], change: byMethodInQuery },
  { what: 'streams', middlewares: [streams] },
  {
    what: 'does all of this',
    middlewares: [makesIds, savesNothing, setsMethod, streams],
    change: byMethodInQuery,
  },
])('random requests where a middleware $what', async ({ middlewares, change = (question) => question }) => {
  await fc.assert(
    fc.asyncProperty(requests, async (questions) => {
      const pair = await Pair.start(changedData, { middlewares })
      await pair.expectSameAnswers([...questions.map(change), { path: '/db' }])
      await pair.close()
    }),
    // Of some 50 requests each.
    { ...runs(2), seed: 29, endOnFailure: true },
  )
})
