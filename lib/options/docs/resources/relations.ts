import pluralize from 'pluralize'
import type { Resource } from './resource-model'

/** A resource while its relations are being found. */
interface Unrelated extends Resource {
  readonly children: Resource[]
  readonly parents: string[]
}

/**
 * Fills in which collections refer to which, by json-server's convention: `postId` in a record refers to the
 * collection `posts`. Each name is looked up once, because finding a plural takes 4 us.
 */
export function addRelations(resources: readonly Unrelated[], foreignKeySuffix: string): void {
  // json-server embeds and expands records alone.
  const collections = resources.filter(({ kind }) => kind === 'collection')
  const names = new Set(collections.map(({ name }) => name))
  const byForeignKey = new Map<string, Unrelated[]>()
  for (const parent of collections) {
    const { foreignKey } = parent
    byForeignKey.set(foreignKey, [...(byForeignKey.get(foreignKey) ?? []), parent])
  }
  const expanded = new Map<string, string | undefined>()
  const parentNamed = (field: string) => {
    const parent = field.endsWith(foreignKeySuffix)
      ? field.slice(0, field.length - foreignKeySuffix.length)
      : ''
    return parent !== '' && names.has(pluralize(parent)) ? parent : undefined
  }
  for (const child of collections) {
    for (const field of Object.keys(child.fields)) {
      if (!expanded.has(field)) expanded.set(field, parentNamed(field))
      const parent = expanded.get(field)
      if (parent !== undefined) child.parents.push(parent)
      for (const { children } of byForeignKey.get(field) ?? []) children.push(child)
    }
  }
}
