import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import { type DescribedResource, type Part, reference, type Schema } from '../../http/operations'
import { isRecord } from '../../is-record'
import { idSchema, inferSchema } from './infer-schema'
import { sampleOf, shortened } from './sample'

/** One entry of the data, as the document needs it. */
export interface Resource extends DescribedResource {
  /** Whether it has paths in the document: not where its name has characters that no path there can have. */
  readonly isListed: boolean
  /** The schemas of a record as it is read, and as it is sent: in a collection, without an id. */
  readonly schema: Schema
  readonly input: Schema
  /** The fields of the latter. */
  readonly fields: ReadonlySet<string>
  /** The fields that a POST must have. */
  readonly required: readonly string[]
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
  /** What the fields of its own records refer to, as `_expand` names it, where there is such a collection. */
  readonly references: readonly string[]
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** All resources of the data as they are now. */
export function describeResources(data: Data, options: ResourceOptions): Resource[] {
  const taken = new Set<string>()
  return resourceNames(data).map((name) => describeResource(name, data[name], taken, options))
}

function describeResource(
  name: string,
  content: unknown,
  taken: Set<string>,
  { idProperty, foreignKeySuffix, publicCollection }: ResourceOptions,
): Resource {
  const isCollection = Array.isArray(content)
  const sample = sampleOf(isCollection ? content : [content])
  const records = sample.filter(isRecord)
  const singular = isCollection ? pluralize.singular(name) : name
  const { schemaName, listName } = namesOf(name, singular, taken)
  const all = inferSchema(records).properties ?? {}
  const { [idProperty]: _inferred, ...withoutId } = all
  const id = idSchema(records.map((record) => record[idProperty]).filter((value) => value !== undefined))
  const input = isCollection ? withoutId : all
  const properties = isCollection ? { [idProperty]: id, ...withoutId } : all
  const fields = new Set(Object.keys(input))
  const isInEachRecord = (key: string) => records.every((record) => Object.hasOwn(record, key))
  const common = Object.keys(properties).filter(isInEachRecord)
  // A record with too many fields to describe is no example: it would list them all.
  const isPublic = isCollection && name === publicCollection && Object.keys(all).length > 0
  const example = isPublic ? shortened(records[0]) : undefined
  const { [idProperty]: exampleId, ...sent } = example ?? {}
  const record = reference('schemas', schemaName)
  return {
    name,
    isCollection,
    isListed: /^(?!\.\.?$)[\w.-]+$/.test(name),
    schemaName,
    listName,
    record,
    item: records.length === sample.length ? record : {},
    idParameter: idParameter(id, exampleId),
    schema: {
      type: 'object',
      properties,
      ...(common.length > 0 && { required: common }),
      ...(example && { examples: [example] }),
    },
    input: { type: 'object', properties: input, ...(example && { examples: [sent] }) },
    fields,
    required: records.length < 2 ? [] : common.filter((key) => fields.has(key)),
    foreignKey: `${singular}${foreignKeySuffix}`,
    references: Object.keys(input)
      .filter((field) => field.endsWith(foreignKeySuffix))
      .map((field) => field.slice(0, -foreignKeySuffix.length)),
  }
}

/**
 * Names for the schemas and the operations of a resource that no other has. Upper and lower case are the same:
 * generated clients name files after them.
 */
function namesOf(name: string, singular: string, taken: Set<string>) {
  const wanted = pascalCase(singular)
  const all = [wanted, `${wanted}Input`].map((text) => text.toLowerCase())
  // No other name has an underscore.
  const end = all.some((text) => taken.has(text)) ? `_${name}` : ''
  for (const text of all) taken.add(text)
  return { schemaName: `${wanted}${end}`, listName: `${pascalCase(name)}${end}` }
}

/** A name as generated clients can use it: `read-me` is `ReadMe`. */
function pascalCase(name: string): string {
  const words = name.split(/[^a-z0-9]+/i)
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(joined) ? joined : `Resource${joined}`
}

function idParameter({ type }: Schema, example: unknown): Part {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the record.',
    ...(type === 'integer'
      ? { schema: { type }, example: example ?? 1 }
      : { schema: { type: 'string' }, example: example === undefined ? example : String(example) }),
  }
}

/**
 * The collections whose records refer to those of this one, by json-server's convention: `postId` in a record
 * refers to the collection `posts`.
 */
export function childrenOf({ foreignKey }: Resource, all: readonly Resource[]): Resource[] {
  return all.filter(({ isCollection, fields }) => isCollection && fields.has(foreignKey))
}

/** The names of what records of this collection refer to, as `_expand` takes them. */
export function parentsOf({ references }: Resource, all: readonly Resource[]): string[] {
  const names = new Set(all.filter(({ isCollection }) => isCollection).map(({ name }) => name))
  return references.filter((one) => names.has(pluralize(one)))
}
