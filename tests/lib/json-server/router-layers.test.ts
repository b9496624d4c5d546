import type { RequestHandler } from 'express'
import jsonServer from 'json-server'
import { adaptLayers, type ResourceKind } from '../../../lib/json-server/router-layers'
import { ask, serveHandlers } from '../../support/requests'

function newRouter() {
  return jsonServer.router({ posts: [], profile: {} }, { foreignKeySuffix: 'Id' })
}

type AnyRouter = ReturnType<typeof newRouter>

/** json-server's routers of its resources, and what is at their top. */
function innerRouters(router: AnyRouter): { stack: AnyRouter['stack'] }[] {
  return router.stack.flatMap(({ handle }) =>
    'stack' in handle && Array.isArray(handle.stack) ? [{ stack: handle.stack }] : [],
  )
}

const other: RequestHandler = function other(_request, _response, next) {
  next()
}

const doorOf = () => other

describe('adaptLayers', () => {
  it('takes off the parsers and the error handler, puts its own in place of the timers, and no more', () => {
    const router = newRouter()
    const before = router.stack.length
    adaptLayers(router, doorOf)
    const names = router.stack.map(({ handle }) => handle.name)
    expect(router.stack).toHaveLength(before - 3)
    expect(names).not.toContain('jsonParser')
    expect(router.stack.every(({ handle }) => handle.length < 4)).toBe(true)
    expect(innerRouters(router)).toHaveLength(2)
    expect(names).toContain('nestedRoutes')
    for (const { stack } of innerRouters(router)) {
      expect(stack[0]?.handle).toBe(other)
      expect(stack.slice(1).map(({ handle }) => handle.name)).not.toContain('delay')
      expect(stack.length).toBeGreaterThan(1)
    }
  })

  it('tells the kinds of the resources', () => {
    const kinds: ResourceKind[] = []
    adaptLayers(newRouter(), (kind) => {
      kinds.push(kind)
      return other
    })
    expect(kinds).toEqual(['collection', 'singular'])
  })

  it.each(['/posts', '/posts/1', '/posts/2', '/profile'])('responds to GET %s at once', async (path) => {
    const router = jsonServer.router({ posts: [{ id: 1 }], profile: {} }, { foreignKeySuffix: 'Id' })
    adaptLayers(router, doorOf)
    let hasResponded: boolean | undefined
    const server = await serveHandlers((request, response, next) => {
      router(request, response, next)
      hasResponded = response.writableEnded
    })
    const { status } = await ask(server.url, { path })
    expect({ status, hasResponded }).toEqual({ status: path === '/posts/2' ? 404 : 200, hasResponded: true })
    await server.close()
  })

  it.each<[string, string, (router: AnyRouter) => void]>([
    ['the method override is missing', 'methodOverride', ({ stack }) => stack.shift()],
    ['the JSON parser is missing', 'jsonParser', ({ stack }) => stack.splice(1, 1)],
    ['the form parser is missing', 'urlencodedParser', ({ stack }) => stack.splice(2, 1)],
    [
      'the parsers have changed places',
      'jsonParser',
      ({ stack }) => stack.splice(1, 2, ...stack.slice(1, 3).reverse()),
    ],
    ['the error handler is missing', 'the error handler', ({ stack }) => stack.pop()],
    ['something follows the error handler', 'the error handler', (router) => router.use(other)],
    ['a timer is missing', 'delay', (router) => innerRouters(router)[1]?.stack.shift()],
    [
      'the timer of the nested routes is missing',
      'delay',
      (router) => innerRouters(router)[0]?.stack.shift(),
    ],
    ['the nested routes are missing', 'the nested routes', ({ stack }) => stack.splice(4, 1)],
    ['all is empty', 'methodOverride', ({ stack }) => stack.splice(0)],
  ])('says so when %s', (_case, layer, change) => {
    const router = newRouter()
    change(router)
    expect(() => adaptLayers(router, doorOf)).toThrow(`json-server's router has no layer "${layer}"`)
    expect(() => adaptLayers(newRouter(), doorOf)).not.toThrow()
  })

  it('says so when it was done before', () => {
    const router = newRouter()
    adaptLayers(router, doorOf)
    expect(() => adaptLayers(router, doorOf)).toThrow('install json-server 0.17.4 exactly')
  })
})
