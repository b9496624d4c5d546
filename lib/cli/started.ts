import type { Express } from 'express'
import type { AccountRoute } from '../auth/account-route'
import type { Allowed } from '../auth/allow-rules'
import type { BuiltInRoute } from '../auth/built-in-route'
import type { PersonFields } from '../auth/person-fields'
import type { LoginCondition } from '../auth/user-of-token'
import type { Data } from '../data/valid-data'
import type { RewriteRules } from '../http/rewrite-rules'
import type { OwnerRules } from '../json-server/owners/owner-rules'
import type { FaultRule } from '../options/faults/fault-rule'
import type { Schemas } from '../options/schemas/compile'
import type { Settings } from './flags/command-line'

/** An application, and what it has made of its options. */
export interface MadeServer {
  readonly app: Express
  /** The routes that it has built in. */
  readonly builtInRoutes: readonly BuiltInRoute[]
  /** Those of them that log in and out, or say who is logged in. */
  readonly accountRoutes: readonly AccountRoute[]
  /** Which fields of people say who they are. */
  readonly fields: PersonFields
  /** Which records may log in: those that meet all of these. */
  readonly loginConditions: readonly LoginCondition[]
  /** Whose the records of which collections are. */
  readonly ownerRules: OwnerRules
  /** Gives what needs no token now. */
  readonly allowed: () => Allowed
}

/** A server that has started: what the start says, and its warnings, are about. */
export interface Started extends Omit<MadeServer, 'app' | 'allowed'> {
  readonly settings: Settings
  readonly state: Data
  /** What needs no token. */
  readonly allowed: Allowed
  readonly rules: RewriteRules
  readonly faults: readonly FaultRule[]
  readonly schemas: Schemas | undefined
}
