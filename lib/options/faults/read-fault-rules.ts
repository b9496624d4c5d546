import { METHODS } from 'node:http'
import { HttpError } from '../../errors'
import { FRAMING_HEADERS, isSendable } from '../../http/sendable-headers'
import { isRecord } from '../../is-record'
import { FAULT_FIELDS, type FaultRule } from './fault-rule'

const { status: STATUS, delay: DELAY } = FAULT_FIELDS

type Field = [isValid: (value: unknown) => boolean, mustBe: string]

/** For each field, which values it can have, and their description in words. */
const FIELDS = new Map<string, Field>(
  Object.entries({
    method: [isMethod, 'an HTTP method in capitals, for instance "POST"'],
    path: [isPath, 'a path as it is sent, for instance "/blogs/:id" or "/api/*", without a query'],
    status: [
      isInteger(STATUS.minimum, STATUS.maximum),
      `an integer from ${STATUS.minimum} to ${STATUS.maximum}`,
    ],
    body: [() => true, 'any JSON value'],
    headers: [areHeaders, `an object of valid headers, without ${FRAMING_HEADERS.join(', ')}`],
    delay: [isInteger(0, DELAY.maximum), `an integer from 0 to ${DELAY.maximum}, in milliseconds`],
    drop: [(value) => value === true, 'true, or be left out'],
    times: [isInteger(1, Number.MAX_SAFE_INTEGER), 'an integer from 1'],
  } satisfies Record<keyof FaultRule, Field>),
)

/** Rules that cannot be used. The message is one sentence for the person who wrote them. */
export class FaultRuleError extends HttpError {
  constructor(message: string) {
    super({ status: 400, message })
  }
}

/**
 * Reads rules, for instance those in the body of a request.
 *
 * @throws FaultRuleError that says which rule is wrong, and what it must be
 */
export function readFaultRules(rules: unknown): FaultRule[] {
  if (!Array.isArray(rules)) throw new FaultRuleError('The rules must be a JSON array, in brackets.')
  return rules.map((rule: unknown, index) => {
    assertRule(rule, (sentence) => {
      throw new FaultRuleError(`Rule ${index + 1} ${sentence}`)
    })
    return rule
  })
}

function assertRule(rule: unknown, refuse: (sentence: string) => never): asserts rule is FaultRule {
  if (!isRecord(rule)) return refuse('must be an object, for instance {"path": "/blogs", "status": 503}.')
  for (const [name, value] of Object.entries(rule)) {
    const field = FIELDS.get(name)
    if (field === undefined)
      return refuse(`has "${name}", but can only have ${[...FIELDS.keys()].join(', ')}.`)
    const [isValid, mustBe] = field
    if (!isValid(value)) refuse(`has a wrong "${name}": it must be ${mustBe}.`)
  }
  const { path, status, body, headers, delay, drop } = rule
  if (path === undefined) refuse('needs a "path", for instance "/blogs/:id" or "/*".')
  if (status !== undefined) {
    if (drop) refuse('has both a "status" and a "drop": without a connection there is no status.')
  } else if (delay === undefined && !drop) refuse('needs a "status", a "delay" or a "drop".')
  else if (body !== undefined || headers !== undefined)
    refuse('has a "body" or "headers", which need a "status".')
}

function isMethod(value: unknown): boolean {
  return typeof value === 'string' && METHODS.includes(value)
}

function isInteger(least: number, most: number) {
  return (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

/** Printable ASCII, as in a request: anything else is sent percent-encoded. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[!-~]*$/.test(value) && !/[?#]|\/:(\/|$)|\*(?!$)|[^/]\*/.test(value)
}

function areHeaders(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([name, content]) => isSendable(name, content))
}
