import type { Service } from '../../../lib/auth/service'
import type { Settings } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import { makeApp } from '../../support/services'

/** What the services say of themselves to a start with these settings. */
export function servicesFor(settings: Settings, data: Data): readonly Service[] {
  const { publicCollection, live = false, docs = false, login } = settings
  return makeApp({ data, publicCollection, live, docs, login }).services
}
