import type { NextFunction, Request, Response } from 'express'
import { HttpError } from '../../errors'
import { afterTime } from '../../http/after-time'
import { notesOf } from '../../http/notes'
import { JSON_TYPE, sendBody } from '../../http/send-json'
import { type FaultRule, isAnswer, WITHOUT_BODY } from './fault-rule'
import type { ChosenRule } from './faults'

/** Makes a request wait, fail or get its response, as the rule says that was chosen for it. */
export function act(chosen: ChosenRule, request: Request, response: Response, next: NextFunction): void {
  const { rule, number, delay } = chosen
  chosen.act()
  // Where the rule only delays, a later step may know a better reason.
  Object.assign(notesOf(request), { reason: `fault rule ${number}`, faultRule: number })
  afterTime(delay, response, () => {
    if (rule.drop) request.socket.destroy()
    else if (isAnswer(rule)) sendAnswer(rule, response)
    else next(errorOf(rule, number))
  })
}

/** What a rule sends is of its test: no cache may keep it for the next. */
const UNCACHED = { 'Cache-Control': 'no-store' }

function sendAnswer({ status = 200, headers = {}, body = {} }: FaultRule, response: Response): void {
  response.statusCode = status
  const isEmpty = WITHOUT_BODY.includes(status)
  const all = { ...UNCACHED, ...(!isEmpty && { 'Content-Type': JSON_TYPE }), ...headers }
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value)
  if (isEmpty) response.end()
  else sendBody(response, Buffer.from(ownText({ headers, body }) ?? JSON.stringify(body, null, 2)))
}

/** The body of a rule as it is sent, where it is a text of a type that the rule names, and that is not JSON. */
function ownText({ headers = {}, body }: Pick<FaultRule, 'headers' | 'body'>): string | undefined {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const isJson = type === undefined || /[/+]json\b/i.test(String(type))
  return typeof body === 'string' && !isJson ? body : undefined
}

function errorOf({ status, headers, body }: FaultRule, number: number): HttpError | undefined {
  if (status === undefined) return undefined
  return new HttpError({
    status,
    message: 'A fault rule made this request fail.',
    reason: `fault rule ${number}`,
    headers: { ...UNCACHED, ...headers },
    body,
    text: ownText({ headers, body }),
  })
}
