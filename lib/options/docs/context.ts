import type { Allowed } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { DocsAddition, Schema } from '../docs-addition'

/** The options of the server on which the document depends. */
export interface DocumentOptions {
  /** The title of the document and its page. */
  readonly title: string
  readonly publicCollection: string | false
  readonly idProperty: string
  readonly foreignKeySuffix: string
  /** What other options add. */
  readonly additions: readonly DocsAddition[]
  readonly live: boolean
  readonly readOnly: boolean
  /** What needs no token beside the login and the public reads. */
  readonly allowed: Allowed
  /** Seconds that a token lasts. */
  readonly tokenLifetime: number
}

/** The same options, and what the document says of the logins. */
export interface DocumentSettings extends DocumentOptions {
  /** A login that the document may show: that of the shipped sample data, which is public. */
  readonly sampleLogin: Credentials | undefined
  /** Whether there are logins that are not in the data. */
  readonly hasLogins: boolean
  /** The first of these, where nobody in the data can log in. */
  readonly loginName: string | undefined
}

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
  readonly commonFields: readonly string[]
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

/**
 * How many resources, and how many nested paths, a document lists: one of 1,000 resources has 5 MB, of which
 * making takes 1 s of processor time, and showing 9 s.
 */
export const MOST_RESOURCES = 1000
export const MOST_NESTED = 1000

/** What each part of the document is made from. */
export interface DocumentContext extends DocumentSettings {
  readonly resources: readonly Resource[]
  /** Those that have paths in the document. */
  readonly listed: readonly Resource[]
  readonly rules: RewriteRules
  /** How many paths there are for records that refer to another, such as `/posts/{id}/comments`. */
  readonly nestedCount: number
}
