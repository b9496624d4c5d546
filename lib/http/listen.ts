import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { errorCode } from '../error-code'
import { messageClasses } from './express-prototypes'
import { answerProtocolErrors, refuseMalformed } from './protocol-errors'

export interface ListenOptions {
  /** TCP port; 0 for a free one. */
  port: number
  /** Name or address to bind. `localhost` means 127.0.0.1 and ::1, where both exist. */
  host: string
  /** Certificate and private key, in PEM, for HTTPS. Default: HTTP. */
  tls?: { cert: Buffer; key: Buffer }
}

/** A running server. */
export interface Listening {
  /** The TCP port that was bound. */
  port: number
  /** Stops accepting, lets the requests under way end for so many milliseconds, and then cuts them off. */
  close(patience: number): Promise<void>
}

/**
 * Listens for HTTP requests. What Node's own parser refuses is answered in JSON, too.
 *
 * @throws NodeJS.ErrnoException when the address cannot be bound, for instance EADDRINUSE
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnAll(handler, options)
    } catch (error) {
      // What is free on 127.0.0.1 may be taken on ::1.
      if (options.port !== 0 || errorCode(error) !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error
    }
  }
}

/** How often a free port is looked for. */
const ATTEMPTS = 10

async function listenOnAll(handler: RequestListener, { port, host, tls }: ListenOptions): Promise<Listening> {
  const servers: Server[] = []
  const classes = messageClasses(handler)
  let bound = port
  for (const address of host === 'localhost' ? ['127.0.0.1', '::1'] : [host]) {
    try {
      const server = await listenOn(handler, { port: bound, host: address, tls }, classes)
      servers.push(server)
      bound = portOf(server)
    } catch (error) {
      if (servers.length > 0 && isMissingAddress(error)) continue
      await Promise.all(servers.map((server) => closeServer(server, 0)))
      throw error
    }
  }
  return {
    port: bound,
    close: async (patience) => {
      await Promise.all(servers.map((server) => closeServer(server, patience)))
    },
  }
}

function listenOn(
  handler: RequestListener,
  { port, host, tls }: ListenOptions,
  classes: ServerOptions,
): Promise<Server> {
  // Node would answer a request without a Host header with an empty 400.
  const options = { requireHostHeader: false, ...classes }
  const server = tls
    ? createTlsServer({ ...options, ...tls }, refuseMalformed(handler))
    : createServer(options, refuseMalformed(handler))
  answerProtocolErrors(server)
  server.setMaxListeners(0)
  server.on('connection', (socket) => closeWhileSilent(server, socket))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

/**
 * Browsers open connections ahead of any need. One on which nothing was ever sent is no request under way, but Node takes
 * it for one when the server is closed.
 */
function closeWhileSilent(server: Server, socket: Socket): void {
  const close = (): void => {
    if (socket.bytesRead === 0) socket.destroy()
  }
  server.once(CLOSING, close)
  socket.once('close', () => server.off(CLOSING, close))
}

/** An event of our own on a server that begins to close. */
const CLOSING = 'closing'

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server is not bound to a TCP port.')
  return address.port
}

/** A machine may be without IPv6. */
function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(errorCode(error)))
}

async function closeServer(server: Server, patience: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.emit(CLOSING)
  const end = performance.now() + patience
  const cut = (): void => {
    // A kept-alive connection becomes idle when the request on it has ended.
    if (performance.now() < end) server.closeIdleConnections()
    else server.closeAllConnections()
  }
  cut()
  const cutting = setInterval(cut, 20)
  await closed
  clearInterval(cutting)
}
