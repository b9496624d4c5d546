import type { RequestHandler } from 'express'
import { ALL, type Allowed } from '../../auth/allow-rules'
import type { RewriteRules } from '../../http/rewrite-rules'
import { accountMatcher } from '../../options/accounts/account-routes'
import type { FaultRule } from '../../options/faults/fault-rule'
import { readFaultRules } from '../../options/faults/read-fault-rules'
import type { Warn } from '../../warn'
import { type Report, reloaded } from '../reloading'
import { fromFile, loadMiddlewares, readRules } from '../user-files'
import type { Settings } from './command-line'
import { type FlagSettings, type Given, ROWS } from './flags'

/** The settings that are the command line's own. */
type OwnSettings =
  | 'config'
  | 'port'
  | 'host'
  | 'watch'
  | 'snapshots'
  | 'quiet'
  | 'inMemory'
  | 'fill'
  | 'cert'
  | 'key'

/** The options of `createApp` that the settings ask for. */
export interface FlagOptions
  extends Omit<FlagSettings, OwnSettings | 'allow' | 'routes' | 'middlewares' | 'faults'> {
  secret?: string
  allowed: Allowed
  routes: (() => RewriteRules) | undefined
  middlewares: readonly RequestHandler[]
  faults: (() => readonly FaultRule[]) | undefined
  privateFiles: readonly string[]
}

/**
 * What `createApp` takes: the settings, of which those that name files become functions that return what the
 * files hold now. No file that a setting names is ever served.
 *
 * @throws UsageError when a file cannot be used
 */
export function flagOptions(settings: Settings, warn: Warn, report: Report): FlagOptions {
  const { routes, middlewares, faults, allowed } = settings
  const isOpen = allowed === ALL
  const readFaults = (rules: unknown) => readFaultRules(rules, accountMatcher(settings))
  return {
    ...settings,
    routes:
      routes === undefined ? undefined : reloaded([routes], () => readRules(routes, warn, isOpen), report),
    middlewares: middlewaresOf(middlewares, report),
    faults: faults === undefined ? undefined : reloaded([faults], () => fromFile(faults, readFaults), report),
    privateFiles: filesOf(settings),
  }
}

/** A middleware that calls those of the files as they are now; none where there are no files. */
function middlewaresOf(files: readonly string[], report: Report): RequestHandler[] {
  if (files.length === 0) return []
  const current = reloaded(files, () => loadMiddlewares(files), report)
  return [(request, response, next) => current()(request, response, next)]
}

/** Each file that a setting names. */
function filesOf(settings: Given): string[] {
  return ROWS.filter(({ isFile }) => isFile)
    .flatMap(({ setting }) => settings[setting] ?? [])
    .map(String)
}
