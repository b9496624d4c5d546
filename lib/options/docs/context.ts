import type { Allowed } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { DocsAddition } from '../docs-addition'
import type { Resource } from './resources/resource-model'

/** The options of the server on which the document depends. */
export interface DocumentOptions {
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

/** With what the document says of the logins. */
export interface DocumentSettings extends DocumentOptions {
  /** A login that the document may show: that of the shipped sample data, which is public. */
  readonly sampleLogin: Credentials | undefined
  /** Whether there are logins that are not in the data. */
  readonly hasLogins: boolean
  /** The first of these, where nobody in the data can log in. */
  readonly loginName: string | undefined
}

/** Beyond these no tool can show a document, and making it takes seconds: the rest is left out. */
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
