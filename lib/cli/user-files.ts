import path from 'node:path'
import { type RequestHandler, Router } from 'express'
import { errorMessage } from '../error-code'
import { catchRejections } from '../http/catch-rejections'
import { type RewriteRules, ruleProblem } from '../http/rewrite-rules'
import { loadModule } from '../load-module'
import type { Warn } from './command-line'
import { readJsonObject } from './configuration'
import { UsageError } from './setting-values'

/**
 * Reads the rewrite rules from a file such as `routes.json`. A rule that cannot be used is left out with a warning.
 *
 * @throws UsageError when it does not hold a JSON object
 */
export function readRules(file: string, warn: Warn): RewriteRules {
  const rules: Record<string, string> = {}
  for (const [from, to] of Object.entries(readJsonObject(file, 'file with the rewrite rules'))) {
    const problem = ruleProblem(from, to)
    if (problem === undefined && typeof to === 'string') rules[from] = to
    else warn(`A rule in ${file} is ignored: ${problem}.`)
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
      throw new UsageError(
        `The middleware ${file} cannot be loaded: ${errorMessage(error)}${placeOf(error, file)}.`,
      )
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

/** Where an error was thrown: a syntax error has the file and the line at the start of its stack, any other in a frame. */
function placeOf(error: unknown, file: string): string {
  const stack = typeof error === 'object' && error !== null && 'stack' in error ? String(error.stack) : ''
  const [, place, line] = /^(\S.*):(\d+)$/m.exec(stack) ?? []
  if (place !== undefined && path.isAbsolute(place)) return ` (${path.relative('', place)}:${line})`
  const frame = stack.split(path.resolve(file))[1]?.match(/^:(\d+)/)
  return frame === undefined || frame === null ? '' : ` (${file}:${frame[1]})`
}
