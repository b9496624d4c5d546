import { type Data, DataError } from '../data/data-source'

/** json-server makes routes for each collection: many thousands hold up everybody, and take more memory than their data. */
const MOST_NEW = 200

/** What Express understands as part of a pattern in a path. */
const PATTERN = /[\\()[\]{}*+?|:]/

/**
 * Checks the names of collections that a request adds to a sandbox. Whoever owns the data may name one like a pattern; from
 * outside, one that takes an endless time to match would hold up everybody.
 *
 * @param loaded what the sandbox begins with
 * @throws DataError when there are too many, or one of them is a pattern
 */
export function checkNewCollections(collections: Data, loaded: Data): void {
  const names = Object.keys(collections).filter((name) => !Object.hasOwn(loaded, name))
  if (names.length > MOST_NEW)
    throw new DataError(`The data must not have more than ${MOST_NEW} collections that were not loaded.`)
  const pattern = names.find((name) => PATTERN.test(name))
  if (pattern !== undefined)
    throw new DataError(
      `The data has a collection named "${pattern}": a new name cannot hold any of \\ ( ) [ ] { } * + ? | :`,
    )
}
