import type { Request, RequestHandler } from 'express'
import { HttpError } from '../../errors'
import type { PathOf } from '../../http/handler'
import { pathMatcher } from '../../http/path-pattern'
import type { ActedRule, FaultRule } from './fault-rule'
import { readFaultRules } from './read-fault-rules'

/** Rules by which requests fail; each acts as often as its `times` says. */
export class Faults {
  readonly #rules: ReadonlyMap<ActedRule, (path: string) => boolean>

  /** @throws HttpError 400 when a rule cannot be used */
  constructor(rules: unknown) {
    this.#rules = new Map(
      readFaultRules(rules).map((rule) => [{ ...rule, acted: 0 }, pathMatcher(rule.path)]),
    )
  }

  /**
   * Gives the first rule that acts on a request, and counts it.
   *
   * @param paths the path as it was sent, and as the rewrite rules make it
   */
  find(method: string, paths: readonly string[]): FaultRule | undefined {
    for (const [rule, matches] of this.#rules) {
      const mayAct = rule.acted < (rule.times ?? Number.POSITIVE_INFINITY)
      if (mayAct && (rule.method ?? method) === method && paths.some(matches)) {
        rule.acted += 1
        return rule
      }
    }
    return undefined
  }

  list(): ActedRule[] {
    return [...this.#rules.keys()]
  }
}

/**
 * Makes a request fail, or wait, by the first rule that matches. Any other request is passed on.
 *
 * Passes on the error that the rule asks for.
 *
 * @param faultsFor the rules for the data that a request is for, if it has any
 * @param rewrittenPath the path of a request behind the rewrite rules
 */
export function faultsStep(
  faultsFor: (request: Request) => Faults | undefined,
  rewrittenPath: PathOf,
): RequestHandler {
  return function faultsMiddleware(request, response, next) {
    const rule = faultsFor(request)?.find(request.method, [request.path, rewrittenPath(request, response)])
    if (rule === undefined) return next()
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else next(errorOf(rule))
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has disconnected.
    response.once('close', () => clearTimeout(waiting))
  }
}

function errorOf({ status, headers, body }: FaultRule): HttpError | undefined {
  if (status === undefined) return undefined
  const message = 'A fault rule made this request fail.'
  return new HttpError({ status, message, headers: { 'Cache-Control': 'no-store', ...headers }, body })
}
