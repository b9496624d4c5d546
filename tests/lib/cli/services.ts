import { type Service, servicesOf } from '../../../lib/auth/service'
import type { Settings } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import { login } from '../../../middlewares/login'
import { publicReads } from '../../../middlewares/public-reads'
import { userLookup } from '../../../middlewares/user-lookup'

/** What the services that need no token say of themselves, as `server.ts` gives it to the start. */
export function servicesFor({ publicCollection, live = false }: Settings, state: Data): Service[] {
  const records = () => {
    const found = publicCollection && state[publicCollection]
    return Array.isArray(found) ? found : undefined
  }
  const source = { records, find: () => undefined, onReload: () => {}, revision: () => 0 }
  return servicesOf([
    userLookup(),
    login({ key: 'secret', users: () => [] }),
    publicCollection && publicReads({ collection: publicCollection, source, live }),
  ])
}
