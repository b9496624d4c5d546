import type { RequestHandler } from 'express'
import methodOverride from 'method-override'

const METHOD_OVERRIDE = 'X-HTTP-Method-Override'

/**
 * Gives a POST the method in its header, as json-server's router does, but never HEAD: Express would then
 * announce a body that it leaves out, and the client, or a proxy in front of many, would take the next
 * response for it.
 */
export function overrideMethod(): RequestHandler {
  return methodOverride((request, response) => {
    response.vary(METHOD_OVERRIDE)
    const [method = ''] = String(request.headers[METHOD_OVERRIDE.toLowerCase()]).split(',')
    return /^\s*HEAD\s*$/i.test(method) ? undefined : method.trim()
  })
}
