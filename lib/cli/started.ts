import type { AccountRoute } from '../auth/account-route'
import type { Allowed } from '../auth/allow-rules'
import type { BuiltInRoute } from '../auth/built-in-route'
import type { User } from '../auth/person-fields'
import type { Data } from '../data/valid-data'
import type { RewriteRules } from '../http/rewrite-rules'
import type { FaultRule } from '../options/faults/fault-rule'
import type { Schemas } from '../options/schemas/compile'
import type { Settings } from './flags/command-line'

/** What a server has made of the texts of its options. */
export interface ReadOptions {
  readonly builtInRoutes: readonly BuiltInRoute[]
  /** Those of them that log in and out, or say who is logged in. */
  readonly accountRoutes: readonly AccountRoute[]
  /** Whether a record may log in. */
  readonly isLetIn: (user: User) => boolean
  /** What needs no token. */
  readonly allowed: Allowed
  readonly rules: RewriteRules
  readonly faults: readonly FaultRule[]
  readonly schemas: Schemas | undefined
}

/** A server that has started: what the start says, and its warnings, are about. */
export interface Started extends ReadOptions {
  readonly settings: Settings
  readonly state: Data
}
