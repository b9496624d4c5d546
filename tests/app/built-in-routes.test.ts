import { isFor } from '../../lib/auth/built-in-route'
import { makeApp } from '../support/built-in-routes'
import { sampleData } from '../support/data'
import { ask, serve } from '../support/http'

test('each built-in route needs a token or not, as it says of itself', async () => {
  const state = sampleData()
  const { app, builtInRoutes } = makeApp({ data: state, log: false })
  const server = await serve(app)
  expect(builtInRoutes).not.toEqual([])
  // The token check alone refuses this token: a login does not look at it.
  const headers = { Authorization: 'Bearer wrong' }
  for (const builtIn of builtInRoutes) {
    const [route] = builtIn.shown({ state, idProperty: 'id' })
    if (route === undefined) throw new Error('A built-in route has no line at the start.')
    const { method, path } = route
    expect({ route, isFor: isFor(builtIn, route) }).toEqual({ route, isFor: true })
    const { headers: sent } = await ask(server.url, { method, path, headers })
    const isOpen = !sent['www-authenticate']?.includes('invalid_token')
    expect({ route, isOpen }).toEqual({ route, isOpen: builtIn.isOpen })
  }
  await server.close()
})
