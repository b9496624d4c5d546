import pluralize from 'pluralize'
import type { Resource } from './resource-model'

/** What a record refers to, and what refers to it, each with its name for `_embed` or `_expand`. */
export interface Relations {
  readonly children: readonly { readonly name: string; readonly resource: Resource }[]
  readonly parents: readonly { readonly name: string; readonly resource: Resource }[]
}

/** The relations of a collection, by json-server's convention: `postId` in a record refers to the collection `posts`. */
export function relationsOf(
  resource: Resource,
  all: readonly Resource[],
  foreignKeySuffix: string,
): Relations {
  // json-server embeds and expands records alone.
  const collections = resource.kind === 'singular' ? [] : all.filter(({ kind }) => kind === 'collection')
  const key = foreignKeyTo(resource, foreignKeySuffix)
  return {
    children: collections
      .filter(({ fields }) => Object.hasOwn(fields, key))
      .map((child) => ({ name: child.name, resource: child })),
    parents: Object.keys(resource.fields)
      .filter((field) => field.endsWith(foreignKeySuffix) && field !== foreignKeySuffix)
      .map((field) => field.slice(0, field.length - foreignKeySuffix.length))
      .flatMap((name) => {
        const parent = collections.find((candidate) => candidate.name === pluralize(name))
        return parent === undefined ? [] : [{ name, resource: parent }]
      }),
  }
}

/** The field by which records refer to a record of this collection. */
export function foreignKeyTo({ name }: Resource, foreignKeySuffix: string): string {
  return `${pluralize.singular(name)}${foreignKeySuffix}`
}
