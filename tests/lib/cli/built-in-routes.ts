import type { BuiltInRoute } from '../../../lib/auth/built-in-route'
import type { Settings } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import { makeApp } from '../../support/built-in-routes'

/** The built-in routes, as a start has them, with these settings. */
export function builtInRoutesFor(settings: Settings, data: Data): readonly BuiltInRoute[] {
  const { publicCollection, live = false, docs = false, login } = settings
  return makeApp({ data, publicCollection, live, docs, login }).builtInRoutes
}
