import type { Current } from '../../current'
import { isRecord } from '../../is-record'
import type { When } from './when'

/**
 * A rule for requests, as `PUT /__sandbox/faults` and `--faults` take it: they fail, wait, or get a response of its
 * own.
 */
export interface FaultRule {
  /** Default: any. */
  readonly method?: string
  /**
   * Compared with the path as it was sent, and as the rewrite rules make it, segment by segment: `:name` is
   * any one, `*` at the end is one or more.
   */
  readonly path: string
  /** From 400, sent at once, instead of handling the request. Below, sent in place of the resources. */
  readonly status?: number
  /**
   * Any JSON value; a text is sent as it is where `headers` name a type that is not JSON. Default: a sentence; below
   * 400, `{}`.
   */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | number>>
  /** Milliseconds, or the range from which they are drawn. */
  readonly delay?: number | readonly [from: number, to: number]
  /** From 0 to 1: on which part of the requests it acts. Default: 1. */
  readonly probability?: number
  /** With the same seed, the same numbers are drawn in every run. Default: they are others each time. */
  readonly seed?: number
  /** Closes the connection without a response. */
  readonly drop?: true
  /** How many requests it acts on. Default: all. */
  readonly times?: number
  /** What the request must say; otherwise the rule is as one for another path. Default: nothing. */
  readonly when?: When
  /** On the last rule of a method and a path: after it, the rules of these begin again. It needs `times`. */
  readonly repeat?: true
}

/** Whether a rule responds in place of the resources, and makes nothing fail. */
export function isAnswer({ status }: FaultRule): boolean {
  return status !== undefined && status < 400
}

/** Statuses of responses without a body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const WITHOUT_BODY: readonly unknown[] = [204, 205, 304]

/** A rule, and on how many requests it has acted. */
export interface ActedRule extends FaultRule {
  acted: number
}

/** Whether a value is what a mock says of a rule. */
export function isActedRule(value: unknown): value is ActedRule {
  return isRecord(value) && typeof value.path === 'string' && typeof value.acted === 'number'
}

/** Rules, or a function that returns the current ones: for rules that can change while the server runs. */
export type CurrentFaults = Current<readonly FaultRule[]>
