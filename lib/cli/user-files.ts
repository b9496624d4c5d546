import { existsSync } from 'node:fs'
import { type RequestHandler, Router } from 'express'
import { errorMessage } from '../error-code'
import type { FaultRule } from '../faults/fault-rule'
import { FaultRuleError, readFaultRules } from '../faults/read-fault-rules'
import { catchRejections } from '../http/express/catch-rejections'
import { type RewriteRules, ruleProblem } from '../http/rewrite-rules'
import { loadModule } from '../load-module'
import type { Warn } from '../warn'
import { missing } from './flags/existing-files'
import { readContent, readObject } from './flags/read-object'
import { UsageError } from './flags/usage-error'

/**
 * Reads the rewrite rules from files such as `routes.json`. A rule that cannot be used is left out with a
 * warning; one that never matches has a warning, too.
 *
 * @throws UsageError or DataError when one does not hold a JSON object
 */
export function readRules(files: readonly string[], warn: Warn): RewriteRules {
  const rules: Record<string, string> = {}
  for (const file of files) {
    for (const [from, to] of Object.entries(readObject(file, 'file with the rewrite rules'))) {
      const problem = ruleProblem(from, to)
      if (problem !== undefined) warn(`A rule in ${file} is ignored: ${problem}.`)
      else rules[from] = String(to)
      // Every path begins with a slash, which nothing else matches.
      if (problem === undefined && /^[^/(*]/.test(from))
        warn(`The rule "${from}" in ${file} never matches: begin it with a slash.`)
    }
  }
  return rules
}

/**
 * Reads the rules by which requests of the main data fail.
 *
 * @throws UsageError or DataError when the file does not hold such rules
 */
export function readFaults(file: string): FaultRule[] {
  try {
    return readFaultRules(readContent(file, 'file with the faults'))
  } catch (error) {
    if (!(error instanceof FaultRuleError)) throw error
    throw new UsageError(`The faults in ${file} cannot be used. ${error.message}`)
  }
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
      if (!existsSync(file)) throw missing('middleware', file, '--middlewares')
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
