import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import type { DescribedCollection, Part, Schema } from '../../http/operations'
import { isRecord } from '../../is-record'
import { inferSchema } from './infer-schema'
import { sampleOf, shortened } from './sample'

/** What the document needs of each entry of the data. */
interface Described {
  readonly name: string
  /** What the schema is called. */
  readonly schemaName: string
  /** The schema of what is read. */
  readonly schema: Schema
  /** The schema of what is sent, in a collection without the id. */
  readonly input: Schema
}

/** A collection; its schemas are those of a record. */
export interface Collection extends Described, DescribedCollection {
  readonly isCollection: true
  /** The fields that a POST must have. */
  readonly required: readonly string[]
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
}

/** A singular resource. */
export interface Singular extends Described {
  readonly isCollection: false
}

export type Resource = Collection | Singular

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
  const describe = (name: string): Resource => {
    const content = data[name]
    return Array.isArray(content)
      ? describeCollection(name, content, taken, options)
      : describeSingular(name, content, taken)
  }
  return {
    listed: names.filter(canBeInPath).map(describe),
    unlisted: names.filter((name) => !canBeInPath(name)),
  }
}

function canBeInPath(name: string): boolean {
  return /^(?!\.\.?$)[\w.-]+$/.test(name)
}

function describeSingular(name: string, content: unknown, taken: Set<string>): Singular {
  const properties = inferSchema(sampleOf([content])).properties ?? {}
  return {
    name,
    isCollection: false,
    schemaName: uniqueName(pascalCase(name), taken),
    schema: { type: 'object', properties, required: Object.keys(properties) },
    input: { type: 'object', properties },
  }
}

function describeCollection(
  name: string,
  items: readonly unknown[],
  taken: Set<string>,
  { idProperty, foreignKeySuffix, publicCollection }: ResourceOptions,
): Collection {
  const sample = sampleOf(items)
  const records = sample.filter(isRecord)
  const singular = pluralize.singular(name)
  const wanted = pascalCase(singular)
  const schemaName = uniqueName(wanted, taken)
  const { [idProperty]: _id, ...fields } = inferSchema(records).properties ?? {}
  const id = idSchema(records.map((record) => record[idProperty]).filter((value) => value !== undefined))
  const properties = { [idProperty]: id, ...fields }
  const inEachRecord = Object.keys(properties).filter((field) =>
    records.every((record) => Object.hasOwn(record, field)),
  )
  // Everybody can read the document, so it shows no record of another collection.
  const [first] = name === publicCollection ? records : []
  const example = first && shortened(first)
  const { [idProperty]: exampleId, ...sent } = example ?? {}
  return {
    name,
    isCollection: true,
    schemaName,
    listName: schemaName === wanted ? pascalCase(name) : schemaName,
    idParameter: idParameter(id, exampleId),
    schema: {
      // A list may hold texts, which have no fields.
      ...(records.length === sample.length && { type: 'object' }),
      properties,
      required: inEachRecord,
      ...(example && { examples: [example] }),
    },
    input: { type: 'object', properties: fields, ...(example && { examples: [sent] }) },
    // One record says nothing about the next.
    required: records.length > 1 ? inEachRecord.filter((field) => field !== idProperty) : [],
    foreignKey: `${singular}${foreignKeySuffix}`,
  }
}

/** What the schema of a record as it is sent is called. */
export function inputName(schemaName: string): string {
  return `${schemaName}Input`
}

/**
 * Takes names for the two schemas of a resource that no other has: the wanted ones, or those with a number. Upper
 * and lower case are the same, because generated clients name files after schemas. The names of operations are
 * unique as well, because they are made of these.
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

/**
 * The schema of a collection's ids, future ones included: the router makes the next number where all ids are
 * numbers, and a text where they are not. Into an empty collection, both can be sent.
 */
function idSchema(ids: readonly unknown[]): Schema {
  const { type } = inferSchema(ids)
  return { type: typeof type === 'string' ? type : ['integer', 'string'] }
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
export function childrenOf({ foreignKey }: Collection, all: readonly Resource[]): Collection[] {
  return all
    .filter((one) => one.isCollection)
    .filter(({ input }) => Object.hasOwn(input.properties ?? {}, foreignKey))
}
