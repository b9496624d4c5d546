import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import { type DescribedResource, reference, type Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'
import { exampleOf } from './examples'
import { inferSchema, sampleOf } from './infer-schema'

/** An entry of the data; the schemas of a collection are those of a record. */
export interface Resource extends DescribedResource {
  /** Both schemas by their names. */
  readonly schemas: Readonly<Record<string, Schema>>
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

/** The resources that a path of a document can name. */
export function describeResources(data: Data, options: ResourceOptions): Resource[] {
  const schemaNames = new Set<string>()
  return resourceNames(data)
    .filter((name) => /^(?!\.\.?$)[\w.-]+$/.test(name))
    .map((name) => describe(name, data[name], schemaNames, options))
}

function describe(
  name: string,
  content: unknown,
  schemaNames: Set<string>,
  { idProperty, foreignKeySuffix, publicCollection }: ResourceOptions,
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
  const [shown = exampleOf(properties)] = isCollection && name === publicCollection ? records : []
  const { [idProperty]: exampleId, ...sent } = shown
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
      [inputName]: { type: 'object', properties: fields, ...others, examples: [sent] },
    },
    fields: Object.keys(fields),
    // One record says nothing about the next.
    required: records.length > 1 ? inEachRecord.filter((field) => field !== idProperty) : [],
    idParameter: { name: 'id', in: 'path', required: true, schema: id, example: exampleId },
    foreignKey: `${singular}${foreignKeySuffix}`,
  }
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
