import pluralize from 'pluralize'
import type { Resource } from './resource-model'

/**
 * Fills in which collections refer to which, by json-server's convention: `postId` in a record refers to the
 * collection `posts`. Each name is looked up once, because finding a plural takes 4 us.
 */
export function addRelations(resources: readonly Resource[], foreignKeySuffix: string): void {
  // json-server embeds and expands records alone.
  const collections = resources.filter(({ isCollection }) => isCollection)
  const withField = new Map<string, Resource[]>()
  for (const collection of collections)
    for (const field of Object.keys(collection.fields)) {
      const found = withField.get(field)
      if (found === undefined) withField.set(field, [collection])
      else found.push(collection)
    }
  for (const { foreignKey, children } of collections) children.push(...(withField.get(foreignKey) ?? []))
  const names = new Set(collections.map(({ name }) => name))
  for (const [field, found] of withField) {
    const parent = field.endsWith(foreignKeySuffix) ? field.slice(0, -foreignKeySuffix.length) : ''
    if (parent !== '' && names.has(pluralize(parent))) for (const { parents } of found) parents.push(parent)
  }
}
