import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Classes for the requests and the responses of an Express application that are what Express makes of them from the start.
 *
 * Express gives each request and each response its own prototype when they arrive. V8 then knows nothing of them that it has
 * learned of Node's own, which takes as long as everything else in a small answer. Of these classes they have that
 * prototype already, so that nothing changes when Express gives it to them.
 *
 * @param handler when it is an Express application, it takes the prototypes of these classes for its own
 *   (Express guide, "Overriding the Express API")
 * @returns options for `http.createServer`; none for any other handler
 */
export function messageClasses(
  handler: RequestListener,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  if (!isExpress(handler)) return {}
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, handler.request)
  Object.setPrototypeOf(ExpressResponse.prototype, handler.response)
  Object.assign(handler, { request: ExpressRequest.prototype, response: ExpressResponse.prototype })
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }
}

function isExpress(handler: RequestListener): handler is Express {
  return (
    'request' in handler &&
    handler.request instanceof IncomingMessage &&
    'response' in handler &&
    handler.response instanceof ServerResponse
  )
}
