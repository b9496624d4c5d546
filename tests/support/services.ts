import type { Service } from '../../lib/auth/service'
import { type AppOptions, createApp } from '../../server'

const mockLists: Service[][] = []
jest.mock('../../lib/auth/service', () => {
  const actual = jest.requireActual<typeof import('../../lib/auth/service')>('../../lib/auth/service')
  const servicesOf: typeof actual.servicesOf = (steps) => {
    const services = actual.servicesOf(steps)
    mockLists.push(services)
    return services
  }
  return { ...actual, servicesOf }
})

/**
 * An application, and what its services say of themselves, as `server.ts` hands it to the start. A test that
 * imports this does not import `server.ts` before.
 */
export function makeApp(options: AppOptions) {
  mockLists.length = 0
  const app = createApp(options)
  const [services] = mockLists
  if (services === undefined) throw new Error('The server was loaded before its list could be kept.')
  return { app, services }
}
