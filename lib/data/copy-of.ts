import type { Lodash } from 'lodash'

/**
 * A copy of data that somebody else may change by hand. Objects keep their classes, whose `toJSON` may leave out
 * a password; what is frozen is not frozen in the copy.
 */
export function copyOf<Value>(value: Value): Value {
  // Data of a file is never copied at the start, which would otherwise take 10 ms longer.
  const lodash: Lodash = require('lodash')
  return lodash.cloneDeep(value)
}
