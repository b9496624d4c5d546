import { version } from 'json-server/package.json'
import type { Lodash } from 'lodash'

/** The version whose routers are known. */
const KNOWN_VERSION = '0.17.4'

let ownLodash: Lodash | undefined

/**
 * A copy of lodash with json-server's own functions, as json-server makes one for each database. It is made
 * once, because that takes 5 ms.
 *
 * @throws Error when json-server is not version 0.17.4
 */
export function lodash(): Lodash {
  ownLodash ??= makeLodash()
  return ownLodash
}

function makeLodash(): Lodash {
  if (version !== KNOWN_VERSION)
    throw new Error(`json-server ${version} is installed: install json-server ${KNOWN_VERSION} exactly.`)
  const shared: Lodash = require('lodash')
  const copy = shared.runInContext()
  copy.mixin(require('lodash-id'))
  copy.mixin(require('json-server/lib/server/mixins'))
  return copy
}
