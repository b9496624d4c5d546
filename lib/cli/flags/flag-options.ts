import { existsSync } from 'node:fs'
import { accountMatcher, allRoutes, readAccountRoutes } from '../../accounts/account-routes'
import { ALL } from '../../auth/allow-rules'
import { isRecord } from '../../is-record'
import type { Only } from '../../option-kinds'
import type { ServerOptions } from '../../options/app-options'
import { readFaultRules } from '../../options/faults/read-fault-rules'
import { readSchemas } from '../../options/schemas/schema-rules'
import type { Warn } from '../../warn'
import { type Report, reloaded } from '../reloading'
import {
  asObject,
  fromFile,
  type LoadedMiddlewares,
  loadMiddlewares,
  readRules,
  usableRules,
} from '../user-files'
import type { Settings } from './command-line'
import { type Given, ROWS } from './flags'

/**
 * What `createApp` takes: the settings that are not the command line's own, of which those that name files become
 * functions that return what the files hold now. No file that a setting names is ever served.
 *
 * @param state the data as it is now; undefined until it is loaded
 * @throws UsageError when a file cannot be used
 */
export function flagOptions(settings: Settings, warn: Warn, report: Report, state: () => object | undefined) {
  const { source, typedLogin, config, port, host, watch, snapshots, quiet, inMemory, ...others } = settings
  const { fill, cert, key, ...options } = others
  options satisfies Only<ServerOptions, typeof options>
  const { routes, middlewares, faults, schemas, allow } = options
  const watched = <Value>(file: string | undefined, make: (file: string) => Value) =>
    file === undefined ? undefined : reloaded([file], () => make(file), report)
  if (isRecord(routes) && existsSync('routes.json'))
    warn(
      `routes.json is not read, because "routes" in ${config} has rules: put all of them into one of the two.`,
    )
  const values: Given = { ...settings }
  return {
    ...options,
    routes: isRecord(routes)
      ? always(usableRules(routes, config ?? source, warn, allow === ALL))
      : watched(routes, (file) => readRules(file, warn, allow === ALL)),
    middlewares:
      middlewares.length > 0
        ? currentOnes(reloaded(middlewares, () => loadMiddlewares(middlewares), report))
        : [],
    faults: watched(faults, (file) =>
      fromFile(file, (rules) =>
        readFaultRules(rules, accountMatcher(allRoutes(readAccountRoutes(settings)), state)),
      ),
    ),
    schemas: watched(schemas, (file) =>
      fromFile(file, (content) => {
        const given = asObject(content)
        readSchemas({ ...settings, schemas: given })
        return given
      }),
    ),
    privateFiles: ROWS.filter(({ isFile }) => isFile)
      .flatMap(({ setting }) => values[setting])
      .filter((file) => typeof file === 'string'),
  }
}

function always<Value>(value: Value): () => Value {
  return () => value
}

/** The middlewares as the files hold them at each request. Express recognises by four parameters what takes errors. */
function currentOnes(current: () => LoadedMiddlewares): LoadedMiddlewares {
  return [
    (...given) => current()[0](...given),
    (error, request, response, next) => current()[1](error, request, response, next),
  ]
}
