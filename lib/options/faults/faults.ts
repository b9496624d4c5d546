import type { Request, RequestHandler } from 'express'
import { HttpError } from '../../errors'
import type { PathOf } from '../../http/handler'
import { logNotes } from '../../http/log/log-notes'
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
   * Gives the first rule that acts on a request, with its number from 1, and counts it.
   *
   * @param paths the path as it was sent, and as the rewrite rules make it
   */
  find(method: string, paths: readonly string[]): { rule: FaultRule; number: number } | undefined {
    let number = 0
    for (const [rule, matches] of this.#rules) {
      number += 1
      const mayAct = rule.acted < (rule.times ?? Number.POSITIVE_INFINITY)
      if (mayAct && (rule.method ?? method) === method && paths.some(matches)) {
        rule.acted += 1
        return { rule, number }
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
    const found = faultsFor(request)?.find(request.method, [request.path, rewrittenPath(request, response)])
    if (found === undefined) return next()
    const { rule, number } = found
    // Where the rule only delays, a later step may know a better reason.
    logNotes(response).reason = `fault rule ${number}`
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else next(errorOf(rule, number))
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has disconnected.
    response.once('close', () => clearTimeout(waiting))
  }
}

function errorOf({ status, headers, body }: FaultRule, number: number): HttpError | undefined {
  if (status === undefined) return undefined
  return new HttpError({
    status,
    message: 'A fault rule made this request fail.',
    reason: `fault rule ${number}`,
    headers: { 'Cache-Control': 'no-store', ...headers },
    body,
  })
}
