import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { errorCode } from '../../error-code'
import { requireKinds } from '../../option-kinds'
import { messageClasses } from '../express/express-prototypes'
import { Connections } from './connections'
import { inTurn } from './in-turn'
import { listenToProtocolErrors, withoutMalformed } from './protocol-errors'
import { endUnreadBody } from './unread-body'

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
  /** Stops accepting, gives the requests under way this many milliseconds to end, and then cuts them off. */
  close(patience: number): Promise<void>
}

/**
 * Listens for HTTP requests. A request that Node's own parser refuses also gets a response in JSON.
 *
 * @throws TypeError when an option is of the wrong kind or does not exist
 * @throws NodeJS.ErrnoException when the address cannot be bound, for instance EADDRINUSE
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  requireKinds(options, { port: ['a number'], host: ['a string'], tls: ['an object'] })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnAll(handler, options)
    } catch (error) {
      // A port that is free on 127.0.0.1 may be taken on ::1.
      if (options.port !== 0 || errorCode(error) !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error
    }
  }
}

/** How many free ports are tried. */
const ATTEMPTS = 10

/**
 * Milliseconds for which an unused connection stays open. Node's 5 seconds are too short: a test that was
 * busy for longer would send its next request on a connection that has just been closed.
 */
const IDLE_TIME = 65_000

async function listenOnAll(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { port, host } = options
  const bound: Listening[] = []
  const closeAll = async (patience: number): Promise<void> => {
    await Promise.all(bound.map((listening) => listening.close(patience)))
  }
  const classes = messageClasses(handler)
  for (const address of host === 'localhost' ? ['127.0.0.1', '::1'] : [host]) {
    try {
      bound.push(await bind(handler, { ...options, port: bound[0]?.port ?? port, host: address }, classes))
    } catch (error) {
      if (bound.length > 0 && isMissingAddress(error)) continue
      await closeAll(0)
      throw error
    }
  }
  return { port: bound[0]?.port ?? port, close: closeAll }
}

async function bind(
  handler: RequestListener,
  { port, host, tls }: ListenOptions,
  classes: ServerOptions,
): Promise<Listening> {
  // Node would refuse a request without a Host header with an empty 400.
  const options = { requireHostHeader: false, keepAliveTimeout: IDLE_TIME, ...classes }
  const server = tls ? createTlsServer({ ...options, ...tls }) : createServer(options)
  const connections = new Connections(server)
  const respond = withoutMalformed(handler)
  server.on(
    'request',
    inTurn((request, response) => {
      connections.begin(response)
      endUnreadBody(response)
      // A handler that writes after the end causes an error, which would end the process without a listener.
      response.on('error', console.error)
      respond(request, response)
    }),
  )
  listenToProtocolErrors(server, connections)
  server.listen(port, host)
  // `once` rejects with the error when the address cannot be bound.
  await once(server, 'listening')
  server.on('error', (error) =>
    console.warn(
      `Warning: A connection could not be accepted (${errorCode(error)}): close other connections.`,
    ),
  )
  return { port: portOf(server), close: (patience) => connections.close(patience) }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('The server is not bound to a TCP port.')
  return address.port
}

/** Whether an address cannot be bound because the machine does not have it, for instance without IPv6. */
function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(errorCode(error)))
}
