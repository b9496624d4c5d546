import { isFor } from '../../lib/auth/service'
import { sampleData } from '../support/data'
import { ask, serve } from '../support/http'
import { makeApp } from '../support/services'

test('each service needs a token or not, as it says of itself', async () => {
  const state = sampleData()
  const { app, services } = makeApp({ data: state, log: false })
  const server = await serve(app)
  expect(services).not.toEqual([])
  // The token check alone refuses this token: a login does not look at it.
  const headers = { Authorization: 'Bearer wrong' }
  for (const service of services) {
    const [route] = service.routes({ state, idProperty: 'id' })
    if (route === undefined) throw new Error('A service has no line at the start.')
    const { method, path } = route
    expect({ route, isFor: isFor(service, route) }).toEqual({ route, isFor: true })
    const { headers: sent } = await ask(server.url, { method, path, headers })
    const isOpen = !sent['www-authenticate']?.includes('invalid_token')
    expect({ route, isOpen }).toEqual({ route, isOpen: service.isOpen })
  }
  await server.close()
})
