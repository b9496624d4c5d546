import type { RequestListener } from 'node:http'

/**
 * Bytes of a body that are read though its request was refused, so that the connection can stay. Every body is
 * incomplete at the moment at which a missing token is noticed, even one of 50 bytes.
 */
const SHORT_BODY = 64 * 1024

/**
 * Lets a response be the last one of its connection if it is sent before the body of its request has arrived:
 * otherwise Node would read that body to its end, which may never come. A body that says that it is short does
 * come to its end.
 */
export function closeBehindUnreadBody(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (coding !== undefined || Number(length) > SHORT_BODY) {
      const { shouldKeepAlive } = response
      response.shouldKeepAlive = false
      request.once('end', () => {
        response.shouldKeepAlive = shouldKeepAlive
      })
    }
    handler(request, response)
  }
}
