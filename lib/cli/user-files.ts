import { existsSync, readFileSync } from 'node:fs'
import { type RequestHandler, Router } from 'express'
import { parseJson } from '../data/parse-data'
import { DataError } from '../data/valid-data'
import { errorMessage } from '../error-code'
import { isModule, loadModule } from '../files/load-module'
import { catchRejections } from '../http/express/catch-rejections'
import { type RewriteRules, ruleProblem } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import type { Warn } from '../warn'
import { UsageError } from './flags/usage-error'

/**
 * Makes a value from a user's file.
 *
 * @param what names the kind of file in an error
 * @param make reads the file, and throws when that cannot be done
 * @throws UsageError that names the file and says what `make` has thrown
 * @throws DataError when it is not JSON, with line and column
 */
function usable<Value>(what: string, file: string, make: () => Value): Value {
  try {
    return make()
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new UsageError(
      existsSync(file)
        ? `The ${what} ${file} cannot be used: ${errorMessage(error).replace(/\.?$/, '.')}`
        : `The ${what} ${file} does not exist: create it, or name another.`,
    )
  }
}

/**
 * Makes a value from what a JSON file, or a module, holds.
 *
 * @param what names the kind of file in an error
 * @throws UsageError or DataError as {@link usable}
 */
export function fromJson<Value>(what: string, file: string, make: (content: unknown) => Value): Value {
  return usable(what, file, () =>
    make(isModule(file) ? loadModule(file) : parseJson(readFileSync(file), file)),
  )
}

/** The same for an object: a configuration as json-server takes it, or rewrite rules. */
export function readObject(what: string, file: string): Record<string, unknown> {
  return fromJson(what, file, (content) => {
    if (!isRecord(content)) throw new TypeError('it must hold an object: {"name": value}')
    return content
  })
}

/**
 * Reads the rewrite rules from a file such as `routes.json`. A rule that cannot be used is left out with a
 * warning; one that never matches has a warning, too.
 *
 * @throws UsageError or DataError when it does not hold a JSON object
 */
export function readRules(file: string, warn: Warn): RewriteRules {
  const rules: Record<string, string> = {}
  for (const [from, to] of Object.entries(readObject('file with the rewrite rules', file))) {
    const problem = ruleProblem(from, to)
    if (problem !== undefined) warn(`A rule in ${file} is ignored: ${problem}.`)
    else rules[from] = String(to)
    // Every path begins with a slash, which nothing else matches.
    if (problem === undefined && /^[^/(*]/.test(from))
      warn(`The rule "${from}" in ${file} never matches: begin it with a slash.`)
  }
  return rules
}

/**
 * Loads the user's middlewares: each file exports one, or an array of them.
 *
 * @throws UsageError when a file cannot be loaded or exports something else
 */
export function loadMiddlewares(files: readonly string[]): RequestHandler {
  const router = Router()
  for (const file of files)
    usable('middleware', file, () => {
      for (const handler of [loadModule(file)].flat(Number.POSITIVE_INFINITY)) {
        if (!isHandler(handler))
          throw new TypeError(
            'it must export a function, or an array of functions: (req, res, next) => { ... }',
          )
        router.use(catchRejections(handler))
      }
    })
  return router
}

function isHandler(value: unknown): value is RequestHandler {
  return typeof value === 'function'
}
