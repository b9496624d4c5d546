import type { Request, RequestHandler } from 'express'
import { type BuiltInRoute, isForOpen } from '../../auth/built-in-route'
import type { Contexts } from '../../auth/contexts'
import { madeFrom } from '../../current'
import { hasBody } from '../../http/request'
import { whenClosed } from '../../http/response-end'
import type { RewrittenLine } from '../../http/rewrite-rules'
import { act } from './act'
import { type CurrentFaults, isAnswer } from './fault-rule'
import { type ChosenRule, Faults } from './faults'
import { type IsAccount, readFaultRules } from './read-fault-rules'

interface FaultStepsOptions {
  /** What the server knows of each request. */
  contexts: Contexts
  /** What the rewrite rules make of a request. */
  rewrittenLine: RewrittenLine
  /** Requests that no rule answers, because they respond with tokens, or ask for them. */
  isAccount: IsAccount
  /** What the server responds to itself: an answer for what needs no token waits for none. */
  builtInRoutes: readonly BuiltInRoute[]
}

export type FaultSteps = ReturnType<typeof makeFaultSteps>

/**
 * The steps by which rules act on requests. One rule is chosen for a request, before all other steps. A failure, a
 * delay or a drop acts at once, and so does an answer where no token is needed. Any other waits until the request has
 * passed the token check and all that is ahead of the resources, so that it opens nothing. A rule that looks at the body is
 * asked after the token check, with those after it.
 */
export function makeFaultSteps({ contexts, rewrittenLine, isAccount, builtInRoutes }: FaultStepsOptions) {
  /** @param isOpen whether no token is needed */
  function begin(
    chosen: ChosenRule | undefined,
    isOpen: boolean,
    ...[request, response, next]: Parameters<RequestHandler>
  ): void {
    if (chosen === undefined) next()
    else if (!isAnswer(chosen.rule) || isOpen) act(chosen, request, response, next)
    else {
      contexts.of(request).answer = (_request, _response, proceed) => act(chosen, request, response, proceed)
      whenClosed(response, chosen.leave)
      next()
    }
  }

  const choose =
    (faultsFor: (request: Request) => Faults | undefined): RequestHandler =>
    (request, response, next) => {
      const faults = faultsFor(request)
      if (faults === undefined) return next()
      const { method, path, query, headers } = request
      const sent = { method, path }
      const rewritten = rewrittenLine(request, response)
      const isOfAccount = isAccount(sent) || isAccount(rewritten)
      const lines = [sent, rewritten] as const
      const candidates = faults.candidates({ lines, query, headers, mayAnswer: !isOfAccount })
      const isOpen = isForOpen(builtInRoutes, sent, rewritten)
      // What needs no token reads no body, but for a login.
      const mayRead = hasBody(request) && (isOfAccount || !isOpen)
      const chosen = candidates.choose(mayRead ? undefined : { body: undefined })
      if (chosen === undefined && candidates.isWaiting) {
        const context = contexts.of(request)
        context.chooseByBody = (proceed) => {
          delete context.chooseByBody
          begin(candidates.choose({ body: request.body }), false, request, response, proceed)
        }
      }
      begin(chosen, isOpen, request, response, next)
    }

  const chooseByBody: RequestHandler = (request, _response, next) => {
    const { chooseByBody: chooseOnce } = contexts.of(request)
    if (chooseOnce === undefined) next()
    else chooseOnce(next)
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
    /** Chooses a rule for a request whose body has been parsed, where one waits for that. Any other is passed on. */
    chooseByBody,
    /** Answers a request for which a rule was chosen that has waited. Any other is passed on. */
    answer,
  }
}
