import pluralize from 'pluralize'
import type { DocumentContext } from '../context'
import type { Resource } from './resource-model'

/** The collections whose records refer to those of this one, and the names of what its own refer to. */
interface Relations {
  readonly children: readonly Resource[]
  readonly parents: readonly string[]
}

/**
 * The relations of a resource, by json-server's convention: `postId` in a record refers to the collection
 * `posts`.
 */
export function relationsOf(
  { name, kind, fields }: Resource,
  { resources, foreignKeySuffix }: DocumentContext,
): Relations {
  // json-server embeds and expands records alone.
  const collections = resources.filter((other) => kind === 'collection' && other.kind === 'collection')
  const key = `${pluralize.singular(name)}${foreignKeySuffix}`
  return {
    children: collections.filter((child) => Object.hasOwn(child.fields, key)),
    parents: Object.keys(fields)
      .filter((field) => field.endsWith(foreignKeySuffix))
      .map((field) => field.slice(0, field.length - foreignKeySuffix.length))
      .filter((parent) => parent !== '' && collections.some((other) => other.name === pluralize(parent))),
  }
}
