import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import type { DescribedResource, Part, Schema } from '../../http/operations'
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
  /** The name of the latter. */
  readonly inputName: string
  /** The fields that a POST must have. */
  readonly required: readonly string[]
  /** The collections whose records refer to those of this one, by the field of this name. */
  readonly foreignKey: string
  readonly children: Resource[]
  /** What its own records refer to, as `_expand` names it. */
  readonly parents: string[]
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** All resources of the data as they are now. */
export function describeResources(data: Data, options: ResourceOptions): Resource[] {
  const takeNames = namesOnce()
  const resources = resourceNames(data).map((name) => describeResource(name, data[name], takeNames, options))
  addRelations(resources, options.foreignKeySuffix)
  return resources
}

function describeResource(
  name: string,
  content: unknown,
  takeNames: ReturnType<typeof namesOnce>,
  { idProperty, foreignKeySuffix, publicCollection }: ResourceOptions,
): Resource {
  const isCollection = Array.isArray(content)
  const sample = sampleOf(isCollection ? content : [content])
  const records = sample.filter(isRecord)
  const singular = pluralize.singular(name)
  const names = takeNames(name, isCollection ? singular : name)
  const all = inferSchema(records).properties ?? {}
  const { [idProperty]: _inferred, ...withoutId } = all
  const id = idSchema(records.map((record) => record[idProperty]).filter((value) => value !== undefined))
  const input = isCollection ? withoutId : all
  const properties = isCollection ? { [idProperty]: id, ...withoutId } : all
  const isInEachRecord = (key: string) => records.every((record) => Object.hasOwn(record, key))
  const common = Object.keys(properties).filter(isInEachRecord)
  // A record with too many fields to describe is no example: it would list them all.
  const isPublic = isCollection && name === publicCollection && Object.keys(all).length > 0
  const example = isPublic ? shortened(records[0]) : undefined
  const { [idProperty]: exampleId, ...sent } = example ?? {}
  const record = { $ref: `#/components/schemas/${names.schemaName}` }
  return {
    ...names,
    name,
    isCollection,
    isListed: /^(?!\.\.?$)[\w.-]+$/.test(name),
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
    required: records.length < 2 ? [] : common.filter((key) => Object.hasOwn(input, key)),
    foreignKey: `${singular}${foreignKeySuffix}`,
    children: [],
    parents: [],
  }
}

/**
 * Gives each resource names that no other has. Upper and lower case are the same: generated clients name
 * files after them.
 */
function namesOnce() {
  const taken = new Set(['error'])
  return (name: string, singular: string) => {
    const wanted = pascalCase(singular)
    const all = [wanted, `${wanted}Input`].map((text) => text.toLowerCase())
    // No other name has an underscore.
    const end = all.some((text) => taken.has(text)) ? `_${name}` : ''
    for (const text of all) taken.add(text)
    return {
      schemaName: `${wanted}${end}`,
      inputName: `${wanted}${end}Input`,
      listName: `${pascalCase(name)}${end}`,
    }
  }
}

/** A name as generated clients can use it: `read-me` is `ReadMe`. */
function pascalCase(name: string): string {
  const joined = name.replace(/(?:^|[^a-z0-9]+)([a-z0-9]?)/gi, (_all, first) => first.toUpperCase())
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
 * Fills in which collections refer to which, by json-server's convention: `postId` in a record refers to the
 * collection `posts`.
 */
function addRelations(resources: readonly Resource[], foreignKeySuffix: string): void {
  // json-server embeds and expands records alone.
  const collections = resources.filter(({ isCollection }) => isCollection)
  const names = new Set(collections.map(({ name }) => name))
  for (const { foreignKey, input, children, parents } of collections) {
    children.push(...collections.filter((other) => Object.hasOwn(other.input.properties ?? {}, foreignKey)))
    const referred = Object.keys(input.properties ?? {})
      .filter((field) => field.endsWith(foreignKeySuffix))
      .map((field) => field.slice(0, -foreignKeySuffix.length))
    parents.push(...referred.filter((parent) => parent !== '' && names.has(pluralize(parent))))
  }
}
