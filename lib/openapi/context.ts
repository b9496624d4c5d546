import type { Allowed } from '../auth/allow-rules'
import type { Credentials } from '../auth/credentials'
import type { RewriteRules } from '../http/rewrite-rules'
import type { Resource } from './resources/resource-model'
import type { Schema } from './types'

/** What is said of sandboxes. */
export interface SandboxFacts {
  /** What a name of a sandbox must be. */
  readonly name: { readonly pattern: string; readonly mustBe: string }
  /** The schema of each field of a rule. */
  readonly faultFields: Readonly<Record<string, Schema>>
  /** How many sandboxes there can be. */
  readonly most: number
  /** How many requests of a sandbox are kept. */
  readonly mostRequests: number
}

/** The options of the server on which the document depends. */
export interface DocumentSettings {
  readonly publicCollection: string | false
  readonly live: boolean
  readonly readOnly: boolean
  /** Where requests can name a sandbox: what a name, and a rule by which requests fail, must be. */
  readonly sandboxes: SandboxFacts | undefined
  /** Whether changes are saved to a file, which can fail. */
  readonly savesToFile: boolean
  /** What needs no token beside the login and the public reads. */
  readonly allowed: Allowed
  readonly idProperty: string
  readonly foreignKeySuffix: string
  /** Seconds that a token lasts. */
  readonly tokenLifetime: number
  /** The first record of the user lookup service, for an example. */
  readonly lookupUser: Readonly<{ name: string; age: number }> | undefined
  /** A login that the document may show: that of the shipped sample data, which is public. */
  readonly sampleLogin: Credentials | undefined
}

/** What each part of the document is made from. */
export interface DocumentContext extends DocumentSettings {
  readonly resources: readonly Resource[]
  readonly rules: RewriteRules
}
