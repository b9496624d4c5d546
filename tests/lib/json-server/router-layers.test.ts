import type { RequestHandler } from 'express'
import jsonServer from 'json-server'
import { adaptLayers, type GuardOf, type ResourceKind } from '../../../lib/json-server/router-layers'
import { ask, serveHandlers, type TestServer } from '../../support/http'

function newRouter() {
  return jsonServer.router({ posts: [], profile: {} }, { foreignKeySuffix: 'Id' })
}

type AnyRouter = ReturnType<typeof newRouter>

/** json-server's routers for its resources, and their first layers. */
function innerRouters(router: AnyRouter): { stack: AnyRouter['stack'] }[] {
  return router.stack.flatMap(({ handle }) =>
    'stack' in handle && Array.isArray(handle.stack) ? [{ stack: handle.stack }] : [],
  )
}

const other: RequestHandler = function other(_request, _response, next) {
  next()
}

const guardOf = () => other

let server: TestServer | undefined

afterEach(() => server?.close())

describe('adaptLayers', () => {
  it('removes the parsers and the error handler, replaces the timers, and changes nothing else', () => {
    const router = newRouter()
    const before = router.stack.length
    adaptLayers(router, guardOf, other)
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
    const guard: GuardOf = (kind) => {
      kinds.push(kind)
      return other
    }
    adaptLayers(newRouter(), guard, other)
    expect(kinds).toEqual(['collection', 'singular'])
  })

  it.each(['/posts', '/posts/1', '/posts/2', '/profile'])('responds to GET %s at once', async (path) => {
    const router = jsonServer.router({ posts: [{ id: 1 }], profile: {} }, { foreignKeySuffix: 'Id' })
    adaptLayers(router, guardOf, other)
    let hasResponded: boolean | undefined
    server = await serveHandlers((request, response, next) => {
      router(request, response, next)
      hasResponded = response.writableEnded
    })
    const { status } = await ask(server.url, { path })
    expect({ status, hasResponded }).toEqual({ status: path === '/posts/2' ? 404 : 200, hasResponded: true })
  })

  it('refuses another version of json-server', () => {
    jest.isolateModules(() => {
      jest.doMock('json-server/package.json', () => ({ version: '0.17.5' }))
      const { adaptLayers: adaptOther }: typeof import('../../../lib/json-server/router-layers') =
        require('../../../lib/json-server/router-layers')
      expect(() => adaptOther(newRouter(), guardOf, other)).toThrow('install json-server 0.17.4 exactly')
    })
  })
})
