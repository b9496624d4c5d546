import { type Server, ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { JSON_TYPE, sendJson } from '../send-json'
import { endConnection } from './end-connection'

/** Status and sentence for the errors of Node's HTTP parser, by code; any other error is a 400. */
const PARSER_ERRORS: Readonly<Record<string, [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than 16 kB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}
const MALFORMED: [status: number, sentence: string] = [400, 'The request is not valid HTTP.']

/** Gives a JSON body to the responses with which Node itself refuses a request, before any middleware. */
export function refuseInJson(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // These bytes follow a request that was refused.
    if (socket.writableEnded) return
    // The response to an earlier request on this connection may be under way; a second status line would
    // corrupt it.
    if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) {
      socket.destroy()
      return
    }
    endWith(socket, ...(PARSER_ERRORS[error.code ?? ''] ?? MALFORMED))
  })
  server.on('connect', (_request, socket) =>
    endWith(socket, 405, 'This server is not a proxy: it does not support CONNECT.'),
  )
  server.on('checkExpectation', (_request, response) => {
    sendJson(response, { error: 'The only supported expectation is 100-continue.' }, { status: 417 })
  })
}

/** Ends a connection for which Node has made no response object. */
function endWith(socket: Duplex, status: number, sentence: string): void {
  const body = JSON.stringify({ error: sentence }, null, 2)
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/**
 * Whether a complete request is waiting for its response, which Node keeps under this name: then the next
 * request is the malformed one.
 */
function isResponding(socket: Duplex): boolean {
  const message: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined
  return message instanceof ServerResponse && (message.headersSent || message.req.complete)
}
