import { METHODS } from 'node:http'
import { OptionError } from '../../errors'
import { FRAMING_HEADERS, isSendable } from '../../http/sendable-headers'
import { isRecord } from '../../is-record'
import { type FaultRule, WITHOUT_BODY } from './fault-rule'
import { isWhen, WHEN_FORM } from './when'

/** Milliseconds of the longest delay. */
const LONGEST_DELAY = 60_000

type FieldCheck = [isValid: (value: unknown) => boolean, mustBe: string]

/** For each field, which values it can have, and their description in words. */
const FIELDS = new Map<string, FieldCheck>(
  Object.entries({
    method: [
      (value) => METHODS.some((method) => method === value),
      'an HTTP method in capitals, for instance "POST"',
    ],
    path: [isPath, 'a path as it is sent, for instance "/blogs/:id" or "/api/*", without a query'],
    status: [isInteger(200, 599), 'an integer from 200 to 599'],
    body: [() => true, 'any JSON value'],
    headers: [areHeaders, `an object of valid headers, without ${FRAMING_HEADERS.join(', ')}`],
    delay: [
      isDelay,
      `an integer from 0 to ${LONGEST_DELAY}, in milliseconds, or a range, for instance [200, 1500]`,
    ],
    probability: [
      (value) => typeof value === 'number' && value >= 0 && value <= 1,
      'a number from 0 to 1, for instance 0.2',
    ],
    seed: [Number.isSafeInteger, 'an integer, for instance 7'],
    drop: [(value) => value === true, 'true, or be left out'],
    times: [isInteger(1), 'an integer from 1'],
    when: [isWhen, WHEN_FORM],
    repeat: [(value) => value === true, 'true, or be left out'],
  } satisfies Record<keyof FaultRule, FieldCheck>),
)

/** Whether a request, or one by any method, logs in or out, or asks who somebody is. */
export type IsAccount = (request: { method?: string | undefined; path: string }) => boolean

/**
 * Reads rules: of an option, a file, or the body of a request.
 *
 * @param isAccount requests that no rule answers
 * @throws OptionError that says which rule is wrong, and what it must be
 */
export function readFaultRules(rules: unknown, isAccount: IsAccount): FaultRule[] {
  if (!Array.isArray(rules)) throw new OptionError('The rules must be a JSON array, in brackets.')
  const read = rules.map((rule: unknown, index): FaultRule => {
    assertRule(rule, index + 1, isAccount)
    return rule
  })
  checkRepeats(read)
  return read
}

/** @throws OptionError for a rule after which nothing could begin again, or another of its list comes */
function checkRepeats(rules: readonly FaultRule[]): void {
  for (const [index, { repeat, times, method, path }] of rules.entries()) {
    if (repeat === undefined) continue
    const next = rules.findIndex(
      (other, position) => position > index && other.path === path && other.method === method,
    )
    if (times === undefined)
      throw new OptionError(`Rule ${index + 1} has "repeat", which needs "times": without it, it never ends.`)
    if (next > 0)
      throw new OptionError(
        `Rule ${index + 1} has "repeat", but rule ${next + 1} has the same path: write it in the last of them.`,
      )
  }
}

function assertRule(rule: unknown, position: number, isAccount: IsAccount): asserts rule is FaultRule {
  const refuse = (sentence: string): never => {
    throw new OptionError(`Rule ${position} ${sentence}`)
  }
  if (!isRecord(rule)) return refuse('must be an object, for instance {"path": "/blogs", "status": 503}.')
  for (const [name, value] of Object.entries(rule)) {
    const field = FIELDS.get(name)
    if (field === undefined)
      return refuse(`has "${name}", but can only have ${[...FIELDS.keys()].join(', ')}.`)
    const [isValid, mustBe] = field
    if (!isValid(value)) refuse(`has a wrong "${name}": it must be ${mustBe}.`)
  }
  const { method, path, status, body, headers, delay, drop } = rule
  if (typeof path !== 'string') return refuse('needs a "path", for instance "/blogs/:id" or "/*".')
  if (status !== undefined) {
    if (drop) refuse('has both a "status" and a "drop": without a connection there is no status.')
  } else if (delay === undefined && !drop) refuse('needs a "status", a "delay" or a "drop".')
  else if (body !== undefined || headers !== undefined)
    refuse('has a "body" or "headers", which need a "status".')
  if (body !== undefined && WITHOUT_BODY.includes(status))
    refuse(`has a "body", but a response with the "status" ${status} has none.`)
  // Only a string has passed as the method.
  if (Number(status) < 400 && isAccount({ method: typeof method === 'string' ? method : undefined, path }))
    refuse(
      `has a "status" below 400 for the "path" ${path}, where the server itself says who is logged in: give it a ` +
        '"status" from 400, a "delay" or a "drop".',
    )
}

/** Printable ASCII, as in a request: anything else is sent percent-encoded. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/[!-~]*$/.test(value) && !/[?#]|\/:(\/|$)|\*(?!$)|[^/]\*/.test(value)
}

function areHeaders(value: unknown): boolean {
  return isRecord(value) && Object.entries(value).every(([name, content]) => isSendable(name, content))
}

function isDelay(value: unknown): boolean {
  const isOne = isInteger(0, LONGEST_DELAY)
  if (!Array.isArray(value)) return isOne(value)
  const [least, most] = value
  return value.length === 2 && isOne(least) && isOne(most) && least <= most
}

function isInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
}
