import type { Lodash } from 'lodash'

let ownLodash: Lodash | undefined
let sharedLodash: Lodash | undefined

/**
 * A copy of lodash with json-server's own functions, as json-server makes one for each database. It is made
 * once, because that takes 5 ms.
 */
export function lodash(): Lodash {
  ownLodash ??= makeLodash()
  return ownLodash
}

/** The lodash of json-server's handlers, which take a chain of its own as it is. */
export function lodashOfJsonServer(): Lodash {
  // Node looks for the module for each call of `require`.
  sharedLodash ??= loadLodash()
  return sharedLodash
}

function loadLodash(): Lodash {
  return require('lodash')
}

function makeLodash(): Lodash {
  const copy = lodashOfJsonServer().runInContext()
  copy.mixin(require('lodash-id'))
  copy.mixin(require('json-server/lib/server/mixins'))
  // A DELETE removes the records that refer to another by `removeById`.
  copy.mixin({ getRemovable: () => [] })
  return copy
}
