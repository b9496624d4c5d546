import pluralize from 'pluralize'
import { isRecord } from '../is-record'
import { CollectionIndex } from './collection-index'
import { recordsReferringTo } from './id-lists'
import { parameterNames, type Query } from './query-checks'
import type { Transaction } from './transaction'

/**
 * Adds the relations that json-server misses: those of `_embed` by another id property, because its handler reads
 * `id`; and by `_expand` those to which a list refers: `department` by `"departmentId": [1, 3]`, and `tags` by
 * `"tagIds": [1, 3]`, on which it fails.
 *
 * @param resource a record or a list of them, which are copies
 * @param name of the collection that was read
 */
export function addRelations(resource: unknown, name: string, query: Query, transaction: Transaction): void {
  const { idProperty, foreignKeySuffix } = transaction.options
  const records = [resource].flat().filter(isRecord)
  for (const embedded of idProperty === 'id' ? [] : parameterNames(query._embed)) {
    const others = transaction.collection(embedded)
    if (others === undefined) continue
    const foreignKey = `${pluralize.singular(name)}${foreignKeySuffix}`
    for (const record of records)
      record[embedded] = recordsReferringTo(others, foreignKey, record[idProperty])
  }
  for (const expanded of parameterNames(query._expand)) {
    const plural = pluralize(expanded)
    const others = transaction.collection(plural)
    if (others === undefined) continue
    const index = new CollectionIndex(others, idProperty)
    const foreignKey = `${expanded}${foreignKeySuffix}`
    const listKey = `${pluralize.singular(expanded)}${foreignKeySuffix}s`
    for (const record of records) {
      const isListed = plural === expanded && record[foreignKey] === undefined
      const ids = record[isListed ? listKey : foreignKey]
      if (Array.isArray(ids))
        record[expanded] = ids.map((id) => index.find(id)).filter((other) => other !== undefined)
    }
  }
}
