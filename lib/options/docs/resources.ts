import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import { type DescribedResource, type Part, reference, type Schema } from '../../http/operations'
import { isRecord } from '../../is-record'
import { idSchema, inferSchema } from './infer-schema'
import { sampleOf, shortened } from './sample'

/** One entry of the data, as the document needs it. */
export interface Resource extends DescribedResource {
  /** The schema of a record as it is read. */
  readonly schema: Schema
  /** The schema of a record as it is sent, in a collection without the id. */
  readonly input: Schema
  /** The fields of `input`. */
  readonly fields: ReadonlySet<string>
  /** The fields that a POST must have. */
  readonly required: readonly string[]
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** What a document lists of the data, and the names of what it does not. */
export interface DescribedData {
  readonly listed: readonly Resource[]
  readonly unlisted: readonly string[]
}

/** The resources of the data as they are now, except those whose names no path of a document can have. */
export function describeResources(data: Data, options: ResourceOptions): DescribedData {
  const taken = new Set<string>()
  const names = resourceNames(data)
  return {
    listed: names.filter(canBeInPath).map((name) => describeResource(name, data[name], taken, options)),
    unlisted: names.filter((name) => !canBeInPath(name)),
  }
}

function canBeInPath(name: string): boolean {
  return /^(?!\.\.?$)[\w.-]+$/.test(name)
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
  const wanted = pascalCase(singular)
  const schemaName = uniqueName(wanted, taken)
  const all = inferSchema(records).properties ?? {}
  const { [idProperty]: _inferred, ...withoutId } = all
  const id = idSchema(records.map((record) => record[idProperty]).filter((value) => value !== undefined))
  const input = isCollection ? withoutId : all
  const properties = isCollection ? { [idProperty]: id, ...withoutId } : all
  const fields = new Set(Object.keys(input))
  const isInEachRecord = (key: string) => records.every((record) => Object.hasOwn(record, key))
  const common = Object.keys(properties).filter(isInEachRecord)
  const [first] = records
  const isPublic = isCollection && name === publicCollection
  const example = isPublic && first !== undefined ? shortened(first) : undefined
  const { [idProperty]: exampleId, ...sent } = example ?? {}
  const record = reference('schemas', schemaName)
  return {
    name,
    isCollection,
    schemaName,
    listName: schemaName === wanted ? pascalCase(name) : schemaName,
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
  }
}

/** What the schema of a record as it is sent is called. */
export function inputName(schemaName: string): string {
  return `${schemaName}Input`
}

/**
 * Takes names for the two schemas of a resource that no other has: the wanted ones, or those with a number. Upper
 * and lower case are the same, because generated clients name files after schemas. The names of operations are unique
 * as well, because they are made of these.
 *
 * @param taken the names of all schemas before them, in lower case
 */
function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted
  const both = () => [name, inputName(name)].map((one) => one.toLowerCase())
  for (let number = 2; both().some((one) => taken.has(one)); number += 1) name = `${wanted}${number}`
  for (const one of both()) taken.add(one)
  return name
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
