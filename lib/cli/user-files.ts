import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import { parseJson } from '../data/parse-data'
import { errorMessage } from '../error-code'
import { isModule, LoadError, loadModule } from '../files/load-module'
import { catchRejections } from '../http/express/catch-rejections'
import { passOnAtOnce } from '../http/express/pass-on-at-once'
import { isGuard } from '../http/guard-advice'
import { type RewriteRules, ruleProblem, ruleSide } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import type { Warn } from '../warn'
import { UsageError } from './explain-error'

/**
 * Makes a value from what a user's JSON file, or module, holds.
 *
 * @throws UsageError that names the file, and says why it cannot be read or what `make` has thrown; its cause is
 *   what the module itself has thrown
 */
export function fromFile<Value>(file: string, make: (content: unknown) => Value): Value {
  try {
    return make(isModule(file) ? loadModule(file) : parseJson(readFileSync(file), 'it'))
  } catch (error) {
    const cause = error instanceof LoadError ? error.cause : undefined
    throw new UsageError(`${file} cannot be used: ${errorMessage(error).replace(/([^.?])$/, '$1.')}`, {
      cause,
    })
  }
}

/** @throws TypeError for what is not an object, as a configuration and rewrite rules are */
export function asObject(content: unknown, example = '{"name": value}'): Record<string, unknown> {
  if (isRecord(content)) return content
  throw new TypeError(`it must hold an object: ${example}`)
}

/**
 * Reads the rewrite rules from a file such as `routes.json`.
 *
 * @throws UsageError when it does not hold an object, and what `usableRules` throws
 */
export function readRules(file: string, warn: Warn, isOpen: boolean): RewriteRules {
  const rules = fromFile(file, (content) => asObject(content, '{"/api/*": "/$1"}'))
  return usableRules(rules, file, warn, isOpen)
}

/**
 * The rewrite rules of those that were written. One that cannot be used, or that no path can match, is left out
 * with a warning.
 *
 * @param file where they stand
 * @param isOpen whether no request needs a token: whoever has written a guard believes otherwise
 * @throws UsageError for a guard where no request needs a token
 */
export function usableRules(
  written: Readonly<Record<string, unknown>>,
  file: string,
  warn: Warn,
  isOpen: boolean,
): RewriteRules {
  const rules: Record<string, string> = {}
  for (const [from, to] of Object.entries(written)) {
    if (isOpen && isGuard(to))
      throw new UsageError(
        `${file} has "${from}": ${to}, a guard of json-server-auth, which guards nothing with --allow all: ` +
          'docs/json-server.md says what to write instead.',
      )
    // Every path begins with a slash.
    const cannotMatch = /^[^/(*]/.test(ruleSide(from).path)
    const problem = ruleProblem(from, to) ?? (cannotMatch && `the rule "${from}" must begin with a slash`)
    if (problem) warn(`A rule in ${file} is ignored: ${problem}.`)
    else rules[from] = String(to)
  }
  return rules
}

/** The user's middlewares, as they take a request, and the error of a body that cannot be read. */
export type LoadedMiddlewares = readonly [RequestHandler, ErrorRequestHandler]

/**
 * Loads the user's middlewares: each file exports one, or an array of them.
 *
 * @throws UsageError when a file cannot be loaded or exports something else
 */
export function loadMiddlewares(files: readonly string[]): LoadedMiddlewares {
  // All files share one router, so that an error handler also gets the errors of the files before its own.
  const router = Router()
  const failed = new WeakMap<object, unknown>()
  router.use((request, _response, next) => next(failed.get(request)))
  for (const file of files)
    fromFile(file, (exported) => {
      for (const handler of [exported].flat(Number.POSITIVE_INFINITY)) {
        if (!isHandler(handler))
          throw new TypeError(
            'it must export a function, or an array of functions: (req, res, next) => { ... }',
          )
        router.use(catchRejections(handler))
      }
    })
  passOnAtOnce(router)
  const takeError: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (!isOfBody(error)) return next(error)
    // A router takes requests, and no errors.
    failed.set(request, error)
    router(request, response, next)
  }
  return [router, takeError]
}

/** Whether an error is one of the body parsers: those of other steps, such as a 401, are not for the user's handlers. */
function isOfBody(error: unknown): boolean {
  return isRecord(error) && typeof error.type === 'string' && typeof error.status === 'number'
}

function isHandler(value: unknown): value is RequestHandler {
  return typeof value === 'function'
}

/**
 * Certificate and private key for HTTPS, in PEM.
 *
 * @throws UsageError when one of the two is missing, or they are not a certificate and its private key
 */
export function tlsFiles({ cert, key }: { cert?: string; key?: string }) {
  if (!cert && !key) return undefined
  if (!cert || !key) throw new UsageError('HTTPS needs both --cert and --key.')
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw new UsageError(
      `${cert} and ${key} must be a certificate and its key, in PEM: ${errorMessage(error)}.`,
    )
  }
}
