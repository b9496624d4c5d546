import pluralize from 'pluralize'
import type { Data } from '../../../data/valid-data'
import { isRecord } from '../../../is-record'
import type { DocumentOptions, Resource } from '../context'
import { isMisreadName, pascalCase, uniqueNames } from '../names'
import server from '../templates/server.json'
import { makeExample } from './example'
import { idSchema, inferSchema } from './infer-schema'

/** The types of values that JSON leaves out. */
const UNWRITTEN = ['undefined', 'function', 'symbol']

/** All resources of the data as they are now. */
export function describeResources(data: Data, options: DocumentOptions): Resource[] {
  const { idProperty, foreignKeySuffix, publicCollection, additions } = options
  const takeSchemaName = uniqueNames(Object.keys(server.components.schemas))
  const tags = [...Object.values(server.tags), ...additions.flatMap(({ tag = [] }) => tag)]
  const takeTag = uniqueNames(tags.map((tag) => tag.name))
  const resources = Object.entries(data)
    .filter(([name]) => name !== '$schema' && !isMisreadName(name))
    .map(([name, content]): Resource => {
      const isCollection = Array.isArray(content)
      const isPublic = isCollection && name === publicCollection
      const items: readonly unknown[] = isCollection ? content : [content]
      const records = items.filter(isRecord)
      const isInEachRecord = (key: string) =>
        records.every((record) => !UNWRITTEN.includes(typeof record[key]))
      const inferred = Object.entries(inferSchema(records).properties ?? {})
      const fields = inferred.filter(([key]) => !isCollection || key !== idProperty)
      const [first] = records
      const singular = pluralize.singular(name)
      const schemaName = takeSchemaName(pascalCase(isCollection ? singular : name))
      return {
        name,
        isCollection,
        isPublic,
        isListed: /^(?!\.\.?$)[\w.~-]+$/.test(name),
        tag: takeTag(name || '(no name)'),
        schemaName,
        inputName: takeSchemaName(`${schemaName}Input`),
        itemName: records.length === items.length ? schemaName : 'AnyItem',
        listName: pascalCase(name),
        fields: Object.fromEntries(fields),
        commonFields: fields.map(([key]) => key).filter(isInEachRecord),
        id: idSchema(records.map((record) => record[idProperty])),
        everyRecordHasId: isInEachRecord(idProperty),
        recordCount: records.length,
        foreignKey: `${singular}${foreignKeySuffix}`,
        // A record with too many fields to describe gets no example: it would list them all.
        example: isPublic && first && inferred.length > 0 ? makeExample(first) : undefined,
        children: [],
        parents: [],
      }
    })
  addRelations(resources, foreignKeySuffix)
  return resources
}

/**
 * Fills in which collections refer to which, by json-server's convention: `postId` in a record refers to the
 * collection `posts`.
 */
function addRelations(resources: readonly Resource[], foreignKeySuffix: string): void {
  // json-server embeds and expands records alone.
  const collections = resources.filter(({ isCollection }) => isCollection)
  const names = new Set(collections.map(({ name }) => name))
  for (const { foreignKey, fields, children, parents } of collections) {
    children.push(...collections.filter((collection) => Object.hasOwn(collection.fields, foreignKey)))
    const referred = Object.keys(fields)
      .filter((field) => field.endsWith(foreignKeySuffix))
      .map((field) => field.slice(0, -foreignKeySuffix.length))
    parents.push(...referred.filter((parent) => parent !== '' && names.has(pluralize(parent))))
  }
}
