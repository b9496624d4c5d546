import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import express, { type RequestHandler } from 'express'
import { errorHandler } from '../../middlewares/error-handler'
import { serve, type TestServer } from './helpers'

export interface Question {
  /** Default: GET. */
  method?: string
  /** The request target as it goes over the wire: unlike `fetch`, nothing here normalises it. */
  path: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/**
 * Sends one request, byte for byte as given, over its own connection: the server may close a kept one at the
 * moment when the next request is sent.
 */
export function ask(url: string, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node leaves the length out of a GET or DELETE that has a body, and the server then treats it as a
    // second request.
    const length =
      body === undefined || 'Transfer-Encoding' in headers
        ? {}
        : { 'Content-Length': Buffer.byteLength(body) }
    // Otherwise the server would close it as soon as it has refused a body that it has not read.
    const all = { Connection: 'keep-alive', ...length, ...headers }
    const outgoing = request(url, { method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString(),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** A request with a JSON body. */
export function askJson(
  url: string,
  { body, headers, ...question }: Omit<Question, 'body'> & { body: unknown },
) {
  return ask(url, {
    ...question,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The body of a response that must be JSON. */
export function json({ text }: Answer): unknown {
  return JSON.parse(text)
}

/**
 * A server on which nothing but these handlers runs, and the error handler that renders what they pass on.
 */
export function serveHandlers(...handlers: (RequestHandler | RequestHandler[])[]): Promise<TestServer> {
  return serve(express().disable('x-powered-by').use(handlers.flat()).use(errorHandler()))
}

/** Resolves when a server of this machine accepts no connection any more. */
export async function refused(port: number): Promise<void> {
  for (let accepted = true; accepted; ) {
    const socket = connect(port, '127.0.0.1')
    accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
  }
}
