import type { RequestHandler, Response } from 'express'
import type { FaultRule } from '../lib/sandboxes/fault-rules'

/** Makes a request of a sandbox fail, or wait, by the first of its rules that matches. Any other request is passed on. */
export function sandboxFaults(): RequestHandler {
  return function sandboxFaultsMiddleware(request, response, next) {
    const rule = request.sandbox?.current?.faults.take(request.method, request.path)
    if (rule === undefined) return next()
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else if (rule.status !== undefined) fail(response, rule, rule.status)
      else next()
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has gone away.
    response.once('close', () => clearTimeout(waiting))
  }
}

function fail(response: Response, { headers = {}, ...rule }: FaultRule, status: number): void {
  const body = 'body' in rule ? rule.body : { error: 'A fault that this sandbox was given.' }
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  response.statusCode = status
  response.end(JSON.stringify(body, null, 2))
}
