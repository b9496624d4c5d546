import type { RequestHandler } from 'express'
import methodOverride from 'method-override'

const METHOD_OVERRIDE = 'X-HTTP-Method-Override'

/**
 * Gives a POST the method in its header, as json-server's router does, but only one that changes something:
 * the response to a HEAD, for instance, would have no body, and the client waits for one.
 */
export function overrideMethod(): RequestHandler {
  return methodOverride(({ headers }) => {
    const [method = ''] = String(headers[METHOD_OVERRIDE.toLowerCase()]).split(',')
    return ['PUT', 'PATCH', 'DELETE'].find((name) => name === method.trim().toUpperCase())
  })
}

/** Names the header in the response to every POST that reaches the router, as json-server's router does. */
export function varyByMethod(): RequestHandler {
  return methodOverride((_request, response) => {
    response.vary(METHOD_OVERRIDE)
    return undefined
  })
}
