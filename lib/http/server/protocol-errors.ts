import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { BAD_TARGET, originForm } from '../origin-form'
import { JSON_TYPE, sendJson } from '../send-json'
import type { Connections } from './connections'

/** Status and sentence for the errors of Node's HTTP parser, by code; any other error is a 400. */
const PARSER_ERRORS: Readonly<Record<string, [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 kB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}
const MALFORMED: [status: number, sentence: string] = [400, 'The request is not valid HTTP.']

/** Gives a JSON body to the responses with which Node itself refuses a request, before any middleware. */
export function listenToProtocolErrors(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.refuse(socket, rawRefusal(...(PARSER_ERRORS[error.code ?? ''] ?? MALFORMED))),
  )
  // Node itself would respond with an empty 417. A server may ignore an expectation that it does not know
  // (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** A whole response, for a request for which Node has made no response object. */
function rawRefusal(status: number, sentence: string): string {
  const body = JSON.stringify({ error: sentence }, null, 2)
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

/**
 * Refuses malformed requests that Node accepts: HTTP/1.1 without a Host header (RFC 9112 section 3.2), and a
 * target in which Express finds no path, to which it would respond itself, in HTML and before every step.
 */
export function withoutMalformed(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { headers, httpVersion, url = '' } = request
    if (headers.host === undefined && httpVersion !== '1.0')
      refuse(response, 'The request has no Host header.')
    else if (originForm(url) === undefined) refuse(response, BAD_TARGET)
    else handler(request, response)
  }
}

function refuse(response: ServerResponse, error: string): void {
  response.setHeader('Connection', 'close')
  response.statusCode = 400
  sendJson(response, { error })
}
