import { type Data, DataError } from '../data/valid-data'
import type { LoadedData } from './loaded-data'

/**
 * json-server makes routes for each collection: thousands of them delay every request, and take more memory
 * than the data.
 */
const MOST_NEW = 200

/**
 * Express makes patterns from a name for its routes and compiles one of them again: 200 names of 49 kB take
 * seconds, and some fail.
 */
const LONGEST_NEW = 100

/** The characters that are part of a pattern in an Express path. */
const PATTERN = /[\\()[\]{}*+?|:]/

/**
 * Checks the names of collections that a request adds to a sandbox. The owner of the data may use a pattern
 * as a name, but a client must not: a pattern that takes very long to match would delay every other request.
 *
 * @param loaded the data that the sandbox begins with
 * @throws DataError when there are too many, or one of them is long or a pattern
 */
export function checkNewCollections(collections: Data, loaded: LoadedData): void {
  const names = Object.keys(collections).filter((name) => !loaded.has(name))
  if (names.length > MOST_NEW)
    throw new DataError(`The data must not have more than ${MOST_NEW} collections that were not loaded.`)
  if (names.some((name) => name.length > LONGEST_NEW))
    throw new DataError(
      `The data has a collection whose name is too long: a new one can have ${LONGEST_NEW} characters.`,
    )
  const pattern = names.find((name) => PATTERN.test(name))
  if (pattern !== undefined)
    throw new DataError(
      `The data has a collection named "${pattern}": a new name cannot hold any of \\ ( ) [ ] { } * + ? | :`,
    )
}
