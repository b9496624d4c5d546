import { type RequestHandler, Router } from 'express'
import { errorMessage } from '../error-code'
import { catchRejections } from '../http/catch-rejections'
import { compileRules, type RewriteRules } from '../http/rewrite-rules'
import { loadModule } from '../load-module'
import { readJsonObject, UsageError } from './setting-values'

/**
 * Reads the rewrite rules from a file such as `routes.json`.
 *
 * @throws UsageError when it is no JSON object of texts, or a rule is no path pattern
 */
export function readRules(file: string): RewriteRules {
  const rules: Record<string, string> = {}
  for (const [from, to] of Object.entries(readJsonObject(file, 'file with the rewrite rules'))) {
    if (typeof to !== 'string')
      throw new UsageError(`In ${file}, the rule "${from}" must lead to a path, in quotes.`)
    rules[from] = to
  }
  try {
    compileRules(rules)
  } catch (error) {
    throw new UsageError(`A rule in ${file} cannot be used: ${errorMessage(error)}.`)
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
  for (const file of files) {
    let exported: unknown
    try {
      exported = loadModule(file)
    } catch (error) {
      throw new UsageError(`The middleware ${file} cannot be loaded: ${errorMessage(error)}.`)
    }
    for (const middleware of [exported].flat(Number.POSITIVE_INFINITY)) {
      if (!isHandler(middleware))
        throw new UsageError(
          `${file} must export a function, or an array of functions: (req, res, next) => { ... }.`,
        )
      router.use(catchRejections(middleware))
    }
  }
  return router
}

function isHandler(value: unknown): value is RequestHandler {
  return typeof value === 'function'
}
