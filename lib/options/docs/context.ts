import type { Allowed } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { DocsAddition } from '../docs-addition'
import type { Resource } from './resources/resource-model'

/** The options of the server on which the document depends. */
export interface DocumentSettings {
  readonly publicCollection: string | false
  readonly live: boolean
  readonly readOnly: boolean
  /** What other options add. */
  readonly additions: readonly DocsAddition[]
  /** What needs no token beside the login and the public reads. */
  readonly allowed: Allowed
  readonly idProperty: string
  readonly foreignKeySuffix: string
  /** Seconds that a token lasts. */
  readonly tokenLifetime: number
  /** A login that the document may show: that of the shipped sample data, which is public. */
  readonly sampleLogin: Credentials | undefined
  /** Whether there are logins that are not in the data. */
  readonly hasLogins: boolean
  /** The first of these, where nobody in the data can log in. */
  readonly loginName: string | undefined
}

/** What each part of the document is made from. */
export interface DocumentContext extends DocumentSettings {
  readonly resources: readonly Resource[]
  readonly rules: RewriteRules
  /** Whether there are so few nested paths that the document lists them. */
  readonly listsNested: boolean
}
