import pluralize from 'pluralize'
import { sampleLogin } from '../../auth/credentials'
import { type Data, resourceNames } from '../../data/valid-data'
import {
  type DescribedRecords,
  type DescribedResource,
  type DescribedSchemas,
  listOf,
  reference,
  type Schema,
} from '../../http/openapi'
import { isRecord } from '../../is-record'
import { jsonCopy } from '../../json-copy'
import { type DescribedFilter, describedFilters } from '../../json-server/own-filters'
import type { OwnerRule, OwnerRules } from '../../json-server/owners/owner-rules'
import { exampleOf, type Referred } from './examples'
import { inferSchema, sampleOf } from './infer-schema'

/** An entry of the data; the schemas of a collection are those of a record. */
export interface Resource extends DescribedResource {
  /** The path of the list or the object: `/users`, or `/users/{id}/orders`. */
  readonly path: string
  /** The parameters in that path. */
  readonly pathParameters: readonly object[]
  /** What a record of a list is called in a path, such as `id`; undefined where none of them can be named. */
  readonly idName: string | undefined
  /** The resource in whose records it is; undefined at the top of the data. */
  readonly holder: Resource | undefined
  /** Whether it is a nested list of anything but objects: they have no schema by a name, and none can be added. */
  readonly isOfValues: boolean
  /** Both schemas by their names. */
  readonly schemas: Readonly<Record<string, Schema>>
  /** The parameters by which a list can be filtered. */
  readonly filters: readonly DescribedFilter[]
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
  /** Refers to the schema of what a PATCH sends. */
  readonly changes: Schema
  /** Whether what does not fit is refused. */
  readonly isChecked: boolean
  /** Whose its records are; undefined where they are everybody's. */
  readonly rule: OwnerRule | undefined
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
  /** Whether lists and objects that are nested in the data have paths. */
  readonly nested: boolean
  /** Whose records are whose. Default: everything is everybody's. */
  readonly ownerRules?: OwnerRules
  /** Whether others do not see a field. Default: they see all. */
  readonly isHidden?: (name: string, field: string) => boolean
  /** What schemas say of the data. Default: there are none. */
  readonly schemas?: DescribedSchemas | undefined
}

/** The resources that a path of a document can name. */
export function describeResources(data: Data, options: ResourceOptions): Resource[] {
  const schemaNames = new Set<string>()
  // Everybody has the sample data, so its records may be shown as those of the public collection are.
  const isSample = sampleLogin(data.users) !== undefined
  const top = resourceNames(data)
    .filter((name) => /^(?!\.\.?$)[\w.-]+$/.test(name))
    .map((name) => {
      const content = data[name]
      const isCollection = Array.isArray(content)
      const values: readonly unknown[] = isCollection ? content : [content]
      return describe({ name, isCollection, values, path: `/${name}` }, schemaNames, { ...options, isSample })
    })
  const resources = top.map((resource) => withRelations(resource, top, options))
  if (!options.nested) return resources
  return resources.flatMap((resource) => [
    resource,
    ...contentsIn(resource, resources).map((content) =>
      describe(content, schemaNames, { ...options, isSample: false }),
    ),
  ])
}

/** A list, or an object as each of these values is. */
interface Content extends Pick<Resource, 'name' | 'isCollection' | 'path'> {
  readonly values: readonly unknown[]
  /** Default: it is at the top of the data. */
  readonly holder?: Resource
}

/** The lists and objects in the records of a collection, or in another resource, one level deep. */
function contentsIn(holder: Resource, resources: readonly Resource[]): Content[] {
  const { isCollection: isInEach, path, fields, records } = holder
  const names = resources.map(({ name }) => name.toLowerCase())
  // A name of a collection stands for the records of that which refer to the holder.
  const hasPath = (field: string) => /^\w+$/.test(field) && !(isInEach && names.includes(field.toLowerCase()))
  return fields.filter(hasPath).flatMap((name) => {
    const found = records
      .map((record) => record[name])
      .filter((value) => value !== null && value !== undefined)
    const isCollection = found.every(Array.isArray)
    if (found.length === 0 || !(isCollection || found.every(isRecord))) return []
    const own = isInEach ? `${path}/{id}/${name}` : `${path}/${name}`
    return [{ name, isCollection, values: found.flat(), path: own, holder }]
  })
}

function describe(
  content: Content,
  schemaNames: Set<string>,
  options: ResourceOptions & { isSample: boolean },
): Resource {
  const { name, isCollection, path, holder } = content
  const { idProperty, foreignKeySuffix, publicCollection, isSample, ownerRules, isHidden } = options
  const schemas = holder ? undefined : options.schemas
  const rule = holder ? holder.rule : ownerRules?.get(name)
  const given = schemas?.of(name)
  const described = describeSample(content, { idProperty, given, timeStamps: schemas?.timeStamps ?? [] })
  const { records, isOfValues, properties, keywords, id, hasIds } = described
  // A record that is sent may lack what all others have, but for what a schema requires.
  const isRequired = (field: string) =>
    (given === undefined || field === idProperty || given.always.includes(field)) &&
    !(rule && isHidden?.(name, field))
  const inEachRecord = Object.keys(properties).filter(
    (field) => isRequired(field) && records.every((record) => Object.hasOwn(record, field)),
  )
  const canLack = (field: string) =>
    !inEachRecord.includes(field) ||
    [properties[field]?.type].flat().includes('null') ||
    records.some((record) => record[field] === null)
  // Everybody can read the document, so it shows no record of another collection.
  const isShown = isCollection && holder === undefined && name === publicCollection
  const [shown = exampleOf(properties, referredIn(schemas))] = isShown ? records.map(withoutReferences) : []
  const { [idProperty]: shownId, ...others } = shown
  const sent = Object.fromEntries(
    Object.entries(others).filter(([field]) => properties[field]?.readOnly !== true),
  )
  const [{ [idProperty]: firstId } = { [idProperty]: shownId }] = isShown || isSample ? records : []
  const singular = pluralize.singular(name)
  const end = holder ? `Of${holder.schemaName}` : ''
  const idName = holder ? `${singular}Id` : 'id'
  const schemaName = uniqueName(pascalCase(isCollection ? singular : name) + end, schemaNames)
  const inputName = uniqueName(`${schemaName}Input`, schemaNames)
  const { required = [] } = given ?? {}
  const changesName = required.length > 0 ? uniqueName(`${schemaName}Changes`, schemaNames) : inputName
  const input = { type: 'object', properties, ...keywords, examples: [sent] }
  return {
    name,
    isCollection,
    schemaName,
    listName: pascalCase(name) + end,
    path,
    pathParameters: holder?.isCollection ? [holder.idParameter] : [],
    idName: hasIds ? idName : undefined,
    holder,
    isOfValues,
    records,
    record: isOfValues ? inferSchema(described.sample) : reference('schemas', schemaName),
    input: reference('schemas', inputName),
    changes: reference('schemas', changesName),
    isChecked: holder ? holder.isChecked : given !== undefined,
    rule,
    schemas: isOfValues
      ? {}
      : {
          [schemaName]: {
            ...described.type,
            properties,
            ...keywords,
            required: inEachRecord,
            examples: [shown],
          },
          [changesName]: input,
          [inputName]: required.length > 0 ? { ...input, required } : input,
        },
    fields: described.fields,
    filters: filtersOf(properties, canLack),
    idParameter: {
      name: idName,
      in: 'path',
      required: true,
      schema: id,
      // Of a text, nothing could be said but a value of the data.
      ...((isShown || isSample || typeof firstId === 'number') && { example: firstId }),
    },
    foreignKey: `${singular}${foreignKeySuffix}`,
  }
}

interface RecordOptions {
  readonly idProperty: string
  /** What a schema says of them; undefined where there is none. */
  readonly given: DescribedRecords | undefined
  /** The fields for times, which each of them gets. */
  readonly timeStamps: readonly string[]
}

/** What records have, by a sample of them and by their schema. */
function describeSample(
  { isCollection, values, holder }: Content,
  { idProperty, given, timeStamps }: RecordOptions,
) {
  const sample = sampleOf(values)
  const records = sample.filter(isRecord)
  const isOfRecords = records.length === sample.length
  const isOfValues = holder !== undefined && !isOfRecords
  const { properties: inferred = {}, additionalProperties } = inferSchema(records)
  const stamps = timeStamps.map((field) => [field, stampLike(inferred[field])] as const)
  const found = { ...inferred, ...given?.properties, ...Object.fromEntries(stamps) }
  const { [idProperty]: ids, ...withoutId } = found
  // Into an empty collection, both can be sent.
  const id = given?.properties[idProperty] ?? { type: ids?.type ?? ['integer', 'string'] }
  const fields = isCollection ? withoutId : found
  // What a schema describes has an id from the server, which nobody has to send.
  const ownId = given === undefined ? id : { ...id, readOnly: true }
  const hasIds = isCollection && (holder === undefined || (!isOfValues && ids !== undefined))
  return {
    sample,
    records,
    isOfValues,
    /** A list may hold texts, which have no fields. */
    type: isOfRecords && { type: 'object' },
    /** Of a record, with its id. */
    properties: hasIds ? { [idProperty]: ownId, ...fields } : fields,
    keywords: { ...(additionalProperties !== undefined && { additionalProperties }), ...given?.others },
    /** The names of what is sent. */
    fields: Object.keys(fields),
    id,
    hasIds,
  }
}

/** Finds what a reference in a schema leads to: a shared schema, or that of another resource. */
function referredIn(schemas: DescribedSchemas | undefined): Referred {
  return (reference) => {
    const [, other = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? []
    const { properties: ofOther } = schemas?.of(other) ?? {}
    return schemas?.shared[other] ?? (ofOther && { type: 'object', properties: ofOther })
  }
}

/** A time that the server gives to a record, as others have it. */
function stampLike(found: Schema = { type: 'string', format: 'date-time' }): Schema {
  return { ...found, readOnly: true }
}

/** How many filters of a list are described: with 900, which 200 fields can have, the page takes 4 s to open the operation. */
const MOST_FILTERS = 500

/**
 * The parameters by which a list can be filtered; of too many, those by the values of the fields come first. A record may have a field `views_gt` beside `views`, which is that field
 * then.
 */
function filtersOf(properties: NonNullable<Schema['properties']>, canLack: (field: string) => boolean) {
  const filters = Object.entries(properties).flatMap(([field, schema]) =>
    describedFilters(field, { schema, canLack: canLack(field) }).filter(
      ({ name }) => name === field || !Object.hasOwn(properties, name),
    ),
  )
  if (filters.length <= MOST_FILTERS) return filters
  const isOfValue = ({ name }: DescribedFilter) => Object.hasOwn(properties, name)
  const others = filters.filter((filter) => !isOfValue(filter))
  return [...filters.filter(isOfValue), ...others].slice(0, MOST_FILTERS)
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
  return jsonCopy(record, (name, value) => (name === '$ref' ? undefined : value))
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
