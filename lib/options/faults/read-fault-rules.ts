import { METHODS } from 'node:http'
import { badRequest } from '../../errors'
import { FRAMING_HEADERS, isSendable } from '../../http/sendable-headers'
import { isRecord } from '../../is-record'
import { FAULT_LIMITS, type FaultRule } from './fault-rule'

const { status, delay, times } = FAULT_LIMITS

type Field = [isValid: (value: unknown) => boolean, mustBe: string]

/** For each field, which values it can have, and their description in words. */
const FIELDS = new Map<string, Field>(
  Object.entries({
    method: [
      (value) => METHODS.some((method) => method === value),
      'an HTTP method in capitals, for instance "POST"',
    ],
    path: [isPath, 'a path as it is sent, for instance "/blogs/:id" or "/api/*", without a query'],
    status: [isInteger(status), `an integer from ${status.minimum} to ${status.maximum}`],
    body: [() => true, 'any JSON value'],
    headers: [areHeaders, `an object of valid headers, without ${FRAMING_HEADERS.join(', ')}`],
    delay: [isInteger(delay), `an integer from ${delay.minimum} to ${delay.maximum}, in milliseconds`],
    drop: [(value) => value === true, 'true, or be left out'],
    times: [isInteger(times), `an integer from ${times.minimum}`],
  } satisfies Record<keyof FaultRule, Field>),
)

/**
 * Reads rules, for instance those in the body of a request.
 *
 * @throws HttpError 400 that says which rule is wrong, and what it must be
 */
export function readFaultRules(rules: unknown): FaultRule[] {
  if (!Array.isArray(rules)) throw badRequest('The rules must be a JSON array, in brackets.')
  return rules.map((rule: unknown, index) => {
    assertRule(rule, index + 1)
    return rule
  })
}

function assertRule(rule: unknown, position: number): asserts rule is FaultRule {
  const refuse = (sentence: string, reason = sentence): never => {
    throw badRequest(`Rule ${position} ${sentence}`, `rule ${position} ${reason}`)
  }
  if (!isRecord(rule)) return refuse('must be an object, for instance {"path": "/blogs", "status": 503}.')
  for (const [name, value] of Object.entries(rule)) {
    const field = FIELDS.get(name)
    if (field === undefined)
      return refuse(
        `has "${name}", but can only have ${[...FIELDS.keys()].join(', ')}.`,
        'has an unknown field',
      )
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

/** Printable ASCII, as in a request: anything else is sent percent-encoded. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[!-~]*$/.test(value) && !/[?#]|\/:(\/|$)|\*(?!$)|[^/]\*/.test(value)
}

function areHeaders(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([name, content]) => isSendable(name, content))
}

function isInteger({ minimum, maximum = Number.MAX_SAFE_INTEGER }: { minimum: number; maximum?: number }) {
  return (value: unknown) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
}
