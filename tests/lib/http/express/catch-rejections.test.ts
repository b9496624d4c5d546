import express, { type RequestHandler, Router } from 'express'
import { HttpError } from '../../../../lib/errors'
import { catchRejections } from '../../../../lib/http/express/catch-rejections'
import { ask, json, serveHandlers } from '../../../support/http'

const BROKEN = new Error('broken')

const rejects: RequestHandler = async () => {
  throw BROKEN
}

function routerOf(...paths: string[]): Router {
  const [path = '/', ...inner] = paths
  const router = Router()
  return inner.length > 0 ? router.use(path, routerOf(...inner)) : router.get(path, rejects)
}

let reported: jest.SpyInstance
beforeEach(() => {
  reported = jest.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  reported.mockRestore()
})

async function respond(handler: RequestHandler) {
  const server = await serveHandlers(catchRejections(handler), (_request, response) => {
    // As a change does, which waits for its write.
    setImmediate(() => response.json('passed on'))
  })
  const response = await ask(server.url, { path: '/a/b' })
  await server.close()
  return { status: response.status, body: json(response) }
}

describe('a handler whose promise is rejected', () => {
  it.each<[string, RequestHandler]>([
    ['a function', rejects],
    ['a router', Router().use(rejects)],
    ['a route', routerOf('/a/b')],
    ['a router in a router', routerOf('/a', '/b')],
    ['an application', express().use(rejects)],
    ['a route of an application', express().get('/a/b', rejects)],
    ['an application in a router', Router().use('/a', express().get('/b', rejects))],
    ['a router in an application', express().use('/a', routerOf('/b'))],
  ])('gives a 500, and its error goes to the console: %s', async (_name, handler) => {
    expect(await respond(handler)).toEqual({
      status: 500,
      body: { error: expect.stringContaining('console') },
    })
    expect(reported.mock.calls).toEqual([[BROKEN]])
  })

  it.each([undefined, null, false, 0, '', 'route', 'router', 'text'])(
    'gives a 500 for %j, too',
    async (value) => {
      expect((await respond(() => Promise.reject(value))).status).toBe(500)
      expect(reported).toHaveBeenCalledTimes(1)
    },
  )

  it('can set another status by its error', async () => {
    expect(await respond(() => Promise.reject(new HttpError({ status: 418, message: 'Tea only.' })))).toEqual(
      {
        status: 418,
        body: { error: 'Tea only.' },
      },
    )
  })

  it.each<[string, unknown, RequestHandler]>([
    [
      'has passed the request on',
      'passed on',
      async (_request, _response, next) => {
        next()
        throw BROKEN
      },
    ],
    [
      'has responded',
      'mine',
      async (_request, response) => {
        response.json('mine')
        throw BROKEN
      },
    ],
  ])('changes no response when it %s, and its error goes to the console', async (_name, body, handler) => {
    expect(await respond(handler)).toEqual({ status: 200, body })
    expect(reported.mock.calls).toEqual([[BROKEN]])
  })
})

it.each<[string, RequestHandler]>([
  ['synchronous', (_request, _response, next) => next()],
  ['asynchronous', async (_request, _response, next) => next()],
])('a handler that is %s passes on as before', async (_name, handler) => {
  expect(await respond(handler)).toEqual({ status: 200, body: 'passed on' })
  expect(reported).not.toHaveBeenCalled()
})

it('an error handler stays an error handler', async () => {
  const handler: express.ErrorRequestHandler = async (error, _request, response, _next) => {
    response.status(418).json(error.message)
  }
  const router = Router().use(() => {
    throw BROKEN
  }, handler)
  expect(await respond(router)).toEqual({ status: 418, body: 'broken' })
})

it('a router that many applications share is called as directly as by one', async () => {
  const depths: number[] = []
  const router = Router().use((_request, _response, next) => {
    depths.push(new Error().stack?.split('catch-rejections').length ?? 0)
    next()
  })
  await respond(router)
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1000
  for (let count = 0; count < 100; count += 1) catchRejections(router)
  await respond(router)
  Error.stackTraceLimit = limit
  expect(depths[1]).toBe(depths[0])
  // Its own layer, and the last one, which no path matches.
  expect(router.stack).toHaveLength(2)
})
