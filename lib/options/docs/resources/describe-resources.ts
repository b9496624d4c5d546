import pluralize from 'pluralize'
import type { Data } from '../../../data/valid-data'
import { isRecord } from '../../../is-record'
import type { DocsAddition } from '../../docs-addition'
import { isMisreadName, pascalCase, uniqueNames } from '../names'
import server from '../templates/server.json'
import { makeExample } from './example'
import { idSchema, inferSchema } from './infer-schema'
import { addRelations } from './relations'
import type { Resource } from './resource-model'

export interface ModelOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
  readonly additions: readonly DocsAddition[]
}

/** All resources of the data as they are now. */
export function describeResources(data: Data, options: ModelOptions): Resource[] {
  const { idProperty, foreignKeySuffix, publicCollection, additions } = options
  const takeSchemaName = uniqueNames(Object.keys(server.components.schemas))
  const takeTag = uniqueNames([...server.tags, ...additions.map(({ tag }) => tag)].map(({ name }) => name))
  const resources = Object.entries(data)
    .filter(([name]) => name !== '$schema' && !isMisreadName(name))
    .map(([name, content]): Resource => {
      const isCollection = Array.isArray(content)
      const isPublic = isCollection && name === publicCollection
      const items: readonly unknown[] = isCollection ? content : [content]
      const records = items.filter(isRecord)
      const areIn = (key: string) => records.every((record) => isWritten(record[key]))
      const inferred = Object.entries(inferSchema(records).properties ?? {})
      const fields = inferred.filter(([key]) => !isCollection || key !== idProperty)
      const [first] = records
      const singular = pluralize.singular(name)
      const schemaName = takeSchemaName(pascalCase(isCollection ? singular : name))
      return {
        name,
        isCollection,
        isPublic,
        segment: /^(?!\.\.?$)[\w.~-]+$/.test(name) ? name : undefined,
        tag: takeTag(name || '(no name)'),
        schemaName,
        inputName: takeSchemaName(`${schemaName}Input`),
        itemName: records.length === items.length ? schemaName : 'AnyItem',
        listName: pascalCase(name),
        fields: Object.fromEntries(fields),
        everywhere: fields.map(([key]) => key).filter(areIn),
        id: idSchema(records.map((record) => record[idProperty])),
        everyRecordHasId: areIn(idProperty),
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

/** Whether JSON writes a field with this value. */
function isWritten(value: unknown): boolean {
  return !['undefined', 'function', 'symbol'].includes(typeof value)
}
