import type { Request, RequestHandler } from 'express'
import { type BuiltInRoute, isForOpen } from '../../auth/built-in-route'
import type { Contexts } from '../../auth/contexts'
import { madeFrom } from '../../current'
import type { PathOf } from '../../http/handler'
import { whenClosed } from '../../http/when-closed'
import { act } from './act'
import { type CurrentFaults, isAnswer } from './fault-rule'
import { Faults } from './faults'
import { type IsAccount, readFaultRules } from './read-fault-rules'

interface FaultStepsOptions {
  /** What the server knows of each request. */
  contexts: Contexts
  /** The path of a request after the rewrite rules. */
  rewrittenPath: PathOf
  /** Requests that no rule answers, because they respond with tokens, or ask for them. */
  isAccount: IsAccount
  /** What the server responds to itself: an answer for what needs no token waits for none. */
  builtInRoutes: readonly BuiltInRoute[]
}

export type FaultSteps = ReturnType<typeof makeFaultSteps>

/**
 * The steps by which rules act on requests. One rule is chosen for a request, before all other steps. A failure, a
 * delay or a drop acts at once, and so does an answer where no token is needed. Any other waits until the request has
 * passed the token check and all that is ahead of the resources, so that it opens nothing.
 */
export function makeFaultSteps({ contexts, rewrittenPath, isAccount, builtInRoutes }: FaultStepsOptions) {
  const choose =
    (faultsFor: (request: Request) => Faults | undefined): RequestHandler =>
    (request, response, next) => {
      const faults = faultsFor(request)
      if (faults === undefined) return next()
      const { method, path } = request
      const rewritten = rewrittenPath(request, response)
      const mayAnswer = !isAccount({ method, path }) && !isAccount({ method, path: rewritten })
      const chosen = faults.choose(method, [path, rewritten], { mayAnswer })
      if (chosen === undefined) return next()
      if (!isAnswer(chosen.rule) || isForOpen(builtInRoutes, request, rewritten))
        return act(chosen, request, response, next)
      contexts.of(request).answer = (_request, _response, proceed) => act(chosen, request, response, proceed)
      whenClosed(response, chosen.leave)
      next()
    }

  const answer: RequestHandler = (request, response, next) => {
    const { answer: chosen } = contexts.of(request)
    if (chosen === undefined) next()
    // Of a client that has gone, another request has the turn.
    else if (!response.destroyed) chosen(request, response, next)
  }

  /** @throws OptionError when a rule cannot be used */
  const read = (rules: unknown): Faults => new Faults(readFaultRules(rules, isAccount))

  return {
    read,
    /** Chooses a rule from those for the data that a request is for, if it has any. Any other request is passed on. */
    choose,
    /**
     * The same with the rules of the main data. When they change, their counts restart.
     *
     * @throws OptionError when a rule cannot be used
     */
    chooseForMain(source: CurrentFaults): RequestHandler {
      const current = madeFrom(source, read)
      // A rule that cannot be used is refused now, not with the first request.
      current()
      return choose((request) => (contexts.of(request).enterSandbox ? undefined : current()))
    },
    /** Answers a request for which a rule was chosen that has waited. Any other is passed on. */
    answer,
  }
}
