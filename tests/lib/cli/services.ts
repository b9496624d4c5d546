import type { Service } from '../../../lib/auth/service'
import type { Settings } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import { makeApp } from '../../support/services'

/** What the services say of themselves to a start with these settings. */
export function servicesFor({ publicCollection, live = false }: Settings, data: Data): readonly Service[] {
  return makeApp({ data, publicCollection, live }).services
}
