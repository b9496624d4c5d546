import pluralize from 'pluralize'
import { isRecord } from '../is-record'
import { CollectionIndex, recordsWith } from './collection-index'
import { parameterNames, type Query } from './query-checks'
import type { Transaction } from './transaction'

/**
 * Adds the relations that json-server misses: those of `_embed` by another id property, because its handler reads
 * `id`; and by `_expand=tags` those to which a list refers, such as `"tagIds": [1, 3]`, on which it fails.
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
    for (const record of records) record[embedded] = recordsWith(others, foreignKey, record[idProperty])
  }
  for (const expanded of parameterNames(query._expand)) {
    const others = pluralize(expanded) === expanded ? transaction.collection(expanded) : undefined
    if (others === undefined) continue
    const index = new CollectionIndex(others, idProperty)
    for (const record of records) {
      const ids = record[`${pluralize.singular(expanded)}${foreignKeySuffix}s`]
      if (Array.isArray(ids) && record[`${expanded}${foreignKeySuffix}`] === undefined)
        record[expanded] = ids.map((id) => index.find(id)).filter((other) => other !== undefined)
    }
  }
}
