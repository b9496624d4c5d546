import pluralize from 'pluralize'
import type { Data } from '../../../data/valid-data'
import { isRecord } from '../../../is-record'
import type { DocsAddition } from '../../docs-addition'
import { isMisreadName, pascalCase, TAGS, UniqueNames } from '../names'
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
  const schemaNames = new UniqueNames(['Error'])
  const tags = new UniqueNames([...Object.values(TAGS), ...additions.map(({ tag }) => tag.name)])
  const resources = Object.entries(data)
    .filter(([name]) => name !== '$schema' && !isMisreadName(name))
    .map(([name, content]) => {
      const isSingular = !Array.isArray(content)
      const items: readonly unknown[] = isSingular ? [content] : content
      const records = items.filter(isRecord)
      const [first] = records
      const inferred = Object.entries(inferSchema(records).properties ?? {})
      const fields = isSingular ? inferred : inferred.filter(([key]) => key !== idProperty)
      const ids = records.map((record) => record[idProperty]).filter((id) => id !== undefined)
      const singular = pluralize.singular(name)
      const schemaName = schemaNames.take(pascalCase(isSingular ? name : singular))
      return {
        name,
        kind: isSingular ? ('singular' as const) : ('collection' as const),
        segment: /^(?!\.\.?$)[\w.~-]+$/.test(name) ? name : undefined,
        tag: tags.take(name || '(no name)'),
        schemaName,
        inputName: schemaNames.take(`${schemaName}Input`),
        fields: Object.fromEntries(fields),
        everywhere: fields
          .map(([key]) => key)
          .filter((key) => records.every((record) => isWritten(record[key]))),
        id: idSchema(ids),
        recordCount: isSingular ? 1 : records.length,
        foreignKey: `${singular}${foreignKeySuffix}`,
        everyRecordHasId: ids.length === records.length,
        onlyRecords: records.length === items.length,
        // A record with too many fields to describe gets no example: it would list them all.
        example:
          first && !isSingular && name === publicCollection && inferred.length > 0
            ? makeExample(first)
            : undefined,
        children: [] as Resource[],
        parents: [] as string[],
      }
    })
  addRelations(resources, foreignKeySuffix)
  return resources
}

/** Whether JSON writes a field with this value. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}
