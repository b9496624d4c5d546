import type { Schema } from '../../docs-addition'

/** One entry of the data, as the document needs it. Texts are filled into the templates by these names. */
export interface Resource {
  readonly name: string
  readonly isCollection: boolean
  /** Whether it is the collection of the public reads. */
  readonly isPublic: boolean
  /** Whether it has paths in the document: not where its name has characters that no path there can have. */
  readonly isListed: boolean
  readonly tag: string
  /** The names of two schemas: a record as it is read, and as it is sent (in a collection, without an id). */
  readonly schemaName: string
  readonly inputName: string
  /** The schema of what is in its list: its records, unless the data has something else there. */
  readonly itemName: string
  /** Its name in those of operations. */
  readonly listName: string
  /** The fields of one record; for a collection, without the id. */
  readonly fields: Readonly<Record<string, Schema>>
  /** The names of those that each record has. */
  readonly everywhere: readonly string[]
  readonly id: Schema
  readonly everyRecordHasId: boolean
  readonly recordCount: number
  /** The name of the field by which records of other collections refer to one of this. */
  readonly foreignKey: string
  /** The first record, where it can be read without a token. */
  readonly example: Readonly<Record<string, unknown>> | undefined
  /** The collections whose records refer to those of this one. */
  readonly children: Resource[]
  /** What its own records refer to, as `_expand` names it. */
  readonly parents: string[]
}
