import pluralize from 'pluralize'
import { listsId, refersTo } from '../data/references'
import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'
import { resourcesAt } from './addresses'
import type { Relation } from './id-lists'
import type { Transaction } from './transaction'

/**
 * How many parts a path into nested data has at most: with each, something may be stored one level deeper, and what is
 * nested thousands of levels deep could not be sent.
 */
const MOST_PARTS = 20

/** A part of a path: as it was sent, and what it means. */
export interface Part {
  readonly sent: string
  readonly name: string
}

/**
 * The parts of a path that may lead into nested data, or undefined if it cannot. At the end may be one slash, or two after a
 * list or an object, as Express takes `/posts//`.
 */
export function pathParts(path: string): Part[] | undefined {
  const sent = path
    .replace(/\/{1,2}$/, '')
    .split('/')
    .slice(1)
  if (sent.length > MOST_PARTS || sent.includes('')) return undefined
  try {
    return sent.map((part) => ({ sent: part, name: decodeURIComponent(part) }))
  } catch {
    // json-server says what is wrong with a part, if it reads it.
    return undefined
  }
}

/**
 * The resources that are meant by the third part of a path, `/users/1/orders`: json-server makes an address of that part,
 * and what it means may hold a slash or a question mark.
 */
export function relationsAt([, , third]: readonly Part[], state: Data): string[] {
  const [name = ''] = third?.name.split(/[/\\?#]/) ?? []
  return third === undefined ? [] : resourcesAt(name.trim(), state)
}

/** A record of a collection at the top of the data. */
interface RelatedRecord {
  /** The name of the collection. */
  readonly collection: string
  /** The id as it was sent, with a slash before it. */
  readonly rest: string
}

/**
 * The record to which `/posts/1/comments/7` leads: the comment 7, if that refers to the post 1, as those of
 * `/posts/1/comments` do (https://github.com/typicode/json-server/issues/368).
 */
export function relatedRecord(parts: readonly Part[], transaction: Transaction): RelatedRecord | undefined {
  const [first, id, , other] = parts
  if (first === undefined || id === undefined || other === undefined || parts.length > 4) return undefined
  const { state, options } = transaction
  const isRelated = (collection: string) => {
    const record = transaction.find(collection, other.name)
    return resourcesAt(first.sent, state)
      .filter((parent) => transaction.collection(parent) !== undefined)
      .some((parent) =>
        [refersTo, listsId].some((refers) => refers(parent, id.name, options.foreignKeySuffix)(record)),
      )
  }
  const collection = relationsAt(parts, state).findLast(isRelated)
  return collection === undefined ? undefined : { collection, rest: `/${other.sent}` }
}

/** How json-server's path of a relation, `/tags/2/posts`, leads to the records that its last part names. */
export function relationOf(path: string, transaction: Transaction): Relation | undefined {
  const [first, id] = pathParts(path) ?? []
  if (first === undefined || id === undefined) return undefined
  const { state, options } = transaction
  return {
    foreignKey: `${pluralize.singular(first.name)}${options.foreignKeySuffix}`,
    id: id.name,
    parent: () => {
      const parents = resourcesAt(first.sent, state).filter(
        (name) => transaction.collection(name) !== undefined,
      )
      const found = parents.map((name) => transaction.find(name, id.name)).find(isRecord)
      return { storedId: found?.[options.idProperty], isGone: parents.length > 0 && found === undefined }
    },
  }
}
