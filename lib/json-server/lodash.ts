import type { Lodash } from 'lodash'

let ownLodash: Lodash | undefined

/**
 * A copy of lodash with json-server's own functions, as json-server makes one for each database. It is made
 * once, because that takes 5 ms.
 */
export function lodash(): Lodash {
  ownLodash ??= makeLodash()
  return ownLodash
}

function makeLodash(): Lodash {
  const shared: Lodash = require('lodash')
  const copy = shared.runInContext()
  copy.mixin(require('lodash-id'))
  copy.mixin(require('json-server/lib/server/mixins'))
  // A DELETE removes the records that refer to another by `removeById`.
  copy.mixin({ getRemovable: () => [] })
  return copy
}
