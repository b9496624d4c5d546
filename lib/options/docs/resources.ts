import pluralize from 'pluralize'
import { sampleLogin } from '../../auth/credentials'
import { type Data, resourceNames } from '../../data/valid-data'
import { type DescribedResource, listOf, reference, type Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'
import { exampleOf } from './examples'
import { inferSchema, sampleOf } from './infer-schema'

/** A query parameter. */
interface DescribedFilter {
  readonly name: string
  readonly in: 'query'
  readonly schema: Schema
  readonly description: string
  /** Whether each item of an array is a parameter of its own. */
  readonly explode?: boolean
}

/** An entry of the data; the schemas of a collection are those of a record. */
export interface Resource extends DescribedResource {
  /** Both schemas by their names. */
  readonly schemas: Readonly<Record<string, Schema>>
  /** The parameters by which a list can be filtered. */
  readonly filters: readonly DescribedFilter[]
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** The resources that a path of a document can name. */
export function describeResources(data: Data, options: ResourceOptions): Resource[] {
  const schemaNames = new Set<string>()
  // Everybody has the sample data, so its records may be shown as those of the public collection are.
  const isSample = sampleLogin(data.users) !== undefined
  const resources = resourceNames(data)
    .filter((name) => /^(?!\.\.?$)[\w.-]+$/.test(name))
    .map((name) => describe(name, data[name], schemaNames, { ...options, isSample }))
  return resources.map((resource) => withRelations(resource, resources, options))
}

function describe(
  name: string,
  content: unknown,
  schemaNames: Set<string>,
  { idProperty, foreignKeySuffix, publicCollection, isSample }: ResourceOptions & { isSample: boolean },
): Resource {
  const isCollection = Array.isArray(content)
  const sample = sampleOf(isCollection ? content : [content])
  const records = sample.filter(isRecord)
  const { properties: found = {}, additionalProperties } = inferSchema(records)
  const others = additionalProperties === undefined ? {} : { additionalProperties }
  const { [idProperty]: ids, ...withoutId } = found
  // Into an empty collection, both can be sent.
  const id = { type: ids?.type ?? ['integer', 'string'] }
  const fields = isCollection ? withoutId : found
  const properties = isCollection ? { [idProperty]: id, ...fields } : fields
  const inEachRecord = Object.keys(properties).filter((field) =>
    records.every((record) => Object.hasOwn(record, field)),
  )
  // Everybody can read the document, so it shows no record of another collection.
  const isShown = isCollection && name === publicCollection
  const [shown = exampleOf(properties)] = isShown ? records.map(withoutReferences) : []
  const { [idProperty]: shownId, ...sent } = shown
  const [{ [idProperty]: firstId } = { [idProperty]: shownId }] = isShown || isSample ? records : []
  const singular = pluralize.singular(name)
  const schemaName = uniqueName(pascalCase(isCollection ? singular : name), schemaNames)
  const inputName = uniqueName(`${schemaName}Input`, schemaNames)
  return {
    name,
    isCollection,
    schemaName,
    listName: pascalCase(name),
    records,
    record: reference('schemas', schemaName),
    input: reference('schemas', inputName),
    schemas: {
      [schemaName]: {
        // A list may hold texts, which have no fields.
        ...(records.length === sample.length && { type: 'object' }),
        properties,
        ...others,
        required: inEachRecord,
        examples: [shown],
      },
      [inputName]: { type: 'object', properties, ...others, examples: [sent] },
    },
    fields: Object.keys(fields),
    // A record may have a field `views_gte` beside `views`.
    filters: [
      ...new Map(
        Object.entries(properties)
          .flatMap(filtersOf)
          .map((filter) => [filter.name, filter]),
      ).values(),
    ],
    idParameter: {
      name: 'id',
      in: 'path',
      required: true,
      schema: id,
      // Of a text, nothing could be said but a value of the data.
      ...((isShown || isSample || typeof firstId === 'number') && { example: firstId }),
    },
    foreignKey: `${singular}${foreignKeySuffix}`,
  }
}

/**
 * The parameters by which a list can be filtered by a field: itself, and what json-server puts after its name. In a list of
 * objects, an element has what is asked for.
 */
function filtersOf([name, { type, items }]: [string, Schema]): DescribedFilter[] {
  if (items?.properties !== undefined)
    return Object.entries(items.properties)
      .filter(([, { items: nested }]) => nested === undefined)
      .flatMap(([field, schema]) => filtersOf([`${name}.${field}`, schema]))
  const item = { type }
  const isOf = (...types: string[]) => [type ?? []].flat().some((one) => types.includes(one))
  if (!isOf('string', 'integer', 'number', 'boolean') || isOf('object', 'array')) return []
  const parameter = (ending: string, schema: Schema, description: string): DescribedFilter => ({
    name: name + ending,
    in: 'query',
    schema,
    description,
  })
  return [
    // A scalar beside it would be another schema, which generated clients send as one text.
    { ...parameter('', { type: 'array', items: item }, 'Only records with one of these.'), explode: true },
    isOf('string')
      ? parameter('_like', { type: 'string' }, 'Only records that match this regular expression.')
      : [],
    isOf('integer', 'number') ? parameter('_gte', { type: 'number' }, 'Only records with this or more.') : [],
    isOf('integer', 'number') ? parameter('_lte', { type: 'number' }, 'Only records with this or less.') : [],
  ].flat()
}

/** Adds what `_expand` and `_embed` put into a record, where it is asked for. */
function withRelations(
  resource: Resource,
  all: readonly Resource[],
  { foreignKeySuffix: suffix }: ResourceOptions,
): Resource {
  const { isCollection, schemaName, schemas, fields, foreignKey, records } = resource
  const isListed = (key: string) => records.some((record) => Array.isArray(record[key]))
  const { [schemaName]: schema } = schemas
  if (!isCollection || schema === undefined) return resource
  const related = all
    .filter((other) => other.isCollection)
    .flatMap((other): (readonly [string, Schema])[] => {
      const list = listOf(other.record)
      return [
        ...(fields.includes(other.foreignKey)
          ? [
              [
                other.foreignKey.slice(0, -suffix.length),
                isListed(other.foreignKey) ? list : other.record,
              ] as const,
            ]
          : []),
        ...(fields.includes(`${other.foreignKey}s`) ||
        [foreignKey, `${foreignKey}s`].some((key) => other.fields.includes(key))
          ? [[other.name, list] as const]
          : []),
      ]
    })
  const properties = { ...Object.fromEntries(related), ...schema.properties }
  return { ...resource, schemas: { ...schemas, [schemaName]: { ...schema, properties } } }
}

/** A record without `$ref`, which tools follow wherever it stands. */
function withoutReferences(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(record, (name, value: unknown) => (name === '$ref' ? undefined : value)))
}

/** A name as generated clients can use it: `read-me` is `ReadMe`. */
export function pascalCase(name: string): string {
  const joined = name.replace(/(?:^|[^a-z\d]+)([a-z\d]|$)/gi, (_match, letter: string) =>
    letter.toUpperCase(),
  )
  return joined || 'Resource'
}

/**
 * This name, or where another thing has it, the name with a number. Upper and lower case are the same: generated
 * clients name files after schemas and operations.
 */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted}${number}`
  taken.add(name.toLowerCase())
  return name
}
