import pluralize from 'pluralize'
import { type Data, resourceNames } from '../../data/valid-data'
import { isRecord } from '../../is-record'
import { exampleOf, shortened } from './examples'
import { inferSchema, type Schema, sampleOf } from './infer-schema'

/** An entry of the data; the schemas of a collection are those of a record. */
export interface Resource {
  readonly name: string
  readonly isCollection: boolean
  /** What the schema of what is read is called: `Blog`. */
  readonly schemaName: string
  /** What the schema of what is sent is called: `BlogInput`. */
  readonly inputName: string
  /** What operations for a list have in their names: `Blogs`. */
  readonly listName: string
  /** Both schemas by their names. */
  readonly schemas: Readonly<Record<string, Schema>>
  /** The fields of what is sent. */
  readonly fields: readonly string[]
  /** The fields that a POST must have. */
  readonly required: readonly string[]
  /** What a person may send. */
  readonly example: Readonly<Record<string, unknown>>
  /** The id in a path. */
  readonly idParameter: object
  /** The field by which records of other collections refer to one of this: `postId`. */
  readonly foreignKey: string
}

/** The options of the server on which the description of the data depends. */
export interface ResourceOptions {
  readonly idProperty: string
  readonly foreignKeySuffix: string
  readonly publicCollection: string | false
}

/** The resources that a document lists, and the names of those that no path of it can have. */
export function describeResources(data: Data, options: ResourceOptions) {
  const names = resourceNames(data)
  const schemaNames = new UniqueNames()
  return {
    listed: names.filter(canBeInPath).map((name) => describe(name, data[name], schemaNames, options)),
    unlisted: names.filter((name) => !canBeInPath(name)),
  }
}

function canBeInPath(name: string): boolean {
  return /^(?!\.\.?$)[\w.-]+$/.test(name)
}

function describe(
  name: string,
  content: unknown,
  schemaNames: UniqueNames,
  { idProperty, foreignKeySuffix, publicCollection }: ResourceOptions,
): Resource {
  const isCollection = Array.isArray(content)
  const sample = sampleOf(isCollection ? content : [content])
  const records = sample.filter(isRecord)
  const found = inferSchema(records).properties ?? {}
  const { [idProperty]: ids, ...others } = found
  const id = idSchema(ids)
  const fields = isCollection ? others : found
  const properties = isCollection ? { [idProperty]: id, ...fields } : fields
  const inEachRecord = Object.keys(properties).filter((field) =>
    records.every((record) => Object.hasOwn(record, field)),
  )
  // Everybody can read the document, so it shows no record of another collection.
  const [first] = isCollection && name === publicCollection ? records : []
  const { [idProperty]: shownId, ...shown } = shortened(first ?? {})
  const example = first === undefined ? exampleOf(fields) : shown
  const exampleId = shownId ?? (id.type === 'string' ? '1' : exampleOf({ id }).id)
  const singular = pluralize.singular(name)
  const wanted = pascalCase(isCollection ? singular : name)
  const schemaName = schemaNames.take(wanted)
  const inputName = schemaNames.take(`${schemaName}Input`)
  return {
    name,
    isCollection,
    schemaName,
    inputName,
    listName: schemaName === wanted ? pascalCase(name) : schemaName,
    schemas: {
      [schemaName]: {
        // A list may hold texts, which have no fields.
        ...(records.length === sample.length && { type: 'object' }),
        properties,
        required: inEachRecord,
        examples: [isCollection ? { [idProperty]: exampleId, ...example } : example],
      },
      [inputName]: { type: 'object', properties: fields },
    },
    fields: Object.keys(fields),
    // One record says nothing about the next.
    required: records.length > 1 ? inEachRecord.filter((field) => field !== idProperty) : [],
    example,
    idParameter: {
      name: 'id',
      in: 'path',
      required: true,
      ...(id.type === 'integer'
        ? { schema: { type: 'integer' }, example: shownId ?? 1 }
        : { schema: { type: 'string' }, ...(shownId !== undefined && { example: String(shownId) }) }),
    },
    foreignKey: `${singular}${foreignKeySuffix}`,
  }
}

/**
 * The schema of a collection's ids, future ones included: the router makes the next number where all ids are numbers,
 * and a text where they are not. Into an empty collection, both can be sent.
 */
function idSchema({ type }: Schema = {}): Schema {
  return { type: typeof type === 'string' ? type : ['integer', 'string'] }
}

/** A name as generated clients can use it: `read-me` is `ReadMe`. */
function pascalCase(name: string): string {
  const words = name.split(/[^a-z0-9]+/i)
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Z]/.test(joined) ? joined : `Resource${joined}`
}

/**
 * The collections whose records refer to those of this one, by json-server's convention: `postId` in a record refers
 * to the collection `posts`.
 */
export function childrenOf({ foreignKey }: Resource, all: readonly Resource[]): Resource[] {
  return all.filter(({ isCollection, fields }) => isCollection && fields.includes(foreignKey))
}

/**
 * Gives each thing a name that no other has, upper and lower case being the same: generated clients name files after
 * schemas and operations.
 */
export class UniqueNames {
  readonly #taken = new Set<string>()

  /** Takes this name, or where another thing has it, the name with a number. */
  take(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#taken.has(name.toLowerCase()); number += 1) name = `${wanted}${number}`
    this.#taken.add(name.toLowerCase())
    return name
  }
}
