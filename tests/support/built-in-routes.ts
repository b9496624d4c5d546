import type { BuiltInRoute } from '../../lib/auth/built-in-route'
import { type AppOptions, createApp } from '../../server'

const mockLists: BuiltInRoute[][] = []
jest.mock('../../lib/auth/built-in-route', () => {
  const actual = jest.requireActual<typeof import('../../lib/auth/built-in-route')>(
    '../../lib/auth/built-in-route',
  )
  const routesIn: typeof actual.routesIn = (steps) => {
    const builtInRoutes = actual.routesIn(steps)
    mockLists.push(builtInRoutes)
    return builtInRoutes
  }
  return { ...actual, routesIn }
})

/**
 * An application, and its built-in routes, as `server.ts` hands it to the start. A test that
 * imports this does not import `server.ts` before.
 */
export function makeApp(options: AppOptions) {
  mockLists.length = 0
  const app = createApp(options)
  const [builtInRoutes] = mockLists
  if (builtInRoutes === undefined) throw new Error('The server was loaded before its list could be kept.')
  return { app, builtInRoutes }
}
