import type { BuiltInRoute } from '../../auth/built-in-route'
import type { Data } from '../../data/valid-data'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { Schemas } from '../../options/schemas/compile'
import type { Settings } from '../flags/command-line'

/** A server that has started: what warnings look at. */
export interface Started {
  readonly settings: Settings
  readonly state: Data
  readonly builtInRoutes: readonly BuiltInRoute[]
  readonly rules: RewriteRules
  readonly schemas: Schemas | undefined
}

/** Sentences of one kind; anything else than a text is none. */
export type Warnings = (started: Started) => readonly (string | false | undefined)[]
