import { connect } from 'node:net'
import type { RequestSpec } from './rows'

/** The address on which every server listens: a name would cost a look-up, and differ by machine. */
export const HOST = '127.0.0.1'

/** Milliseconds without any response after which a server is stuck. */
const PATIENCE = 60_000

interface Load {
  port: number
  /** Each sends its next request when the response to the last has come. */
  connections: number
  /** Milliseconds after which no further request is sent. */
  duration: number
  /** Number of responses that are waited for, however slow they are. */
  fewest: number
  /** Number of requests after which no further one is sent. */
  limit: number
  next: () => RequestSpec
  /** The expected status. */
  status: number
}

/**
 * Puts load on a server over raw sockets: Node's own client does more than some of the servers, and would
 * measure itself.
 *
 * @returns responses per second
 * @throws Error when a response has another status than the expected one, a connection ends, or nothing comes
 *   any more
 */
export async function putLoad({
  port,
  connections,
  duration,
  fewest,
  limit,
  next,
  status,
}: Load): Promise<number> {
  const start = performance.now()
  let end = start
  let sent = 0
  let received = 0
  const isOver = () => sent >= limit || (end - start >= duration && received >= fewest)

  const converse = () =>
    new Promise<void>((resolve, reject) => {
      const response = new ResponseReader()
      const socket = connect({ host: HOST, port, noDelay: true, timeout: PATIENCE })
      const send = (): void => {
        if (isOver()) {
          resolve()
          socket.destroy()
          return
        }
        sent += 1
        socket.write(encode(next()), 'latin1')
      }
      socket.once('connect', send)
      socket.once('error', reject)
      socket.once('timeout', () => reject(new Error(`No response came for ${PATIENCE / 1000} s.`)))
      socket.once('close', () => reject(new Error('The server closed a connection.')))
      socket.on('data', (bytes) => {
        const found = response.push(bytes)
        if (found === undefined) return
        if (found !== status) {
          socket.destroy(new Error(`The status was ${found} instead of ${status}.`))
          return
        }
        received += 1
        end = performance.now()
        send()
      })
    })
  await Promise.all(Array.from({ length: connections }, converse))
  return received / ((end - start) / 1000)
}

/** Finds the end of one response after the other, and keeps nothing but the status. */
class ResponseReader {
  #head = ''
  #status = 0
  /** Bytes of the body that are still to come; undefined when its chunks end with an empty one. */
  #missing: number | undefined = 0
  /** The last characters of a body in chunks, which can arrive in two pieces. */
  #tail = ''

  /** @returns the status, when these bytes complete a response */
  push(bytes: Buffer): number | undefined {
    let body = bytes
    if (this.#status === 0) {
      const known = this.#head.length
      const end = bytes.indexOf('\r\n\r\n')
      // The body can be large: only the head becomes a string.
      this.#head += bytes.toString('latin1', 0, end === -1 || known > 0 ? bytes.length : end + 4)
      const length = this.#head.indexOf('\r\n\r\n') + 4
      if (length < 4) return undefined
      const head = this.#head.slice(0, length)
      this.#head = ''
      this.#status = Number(head.slice(9, 12))
      const isChunked = /\r\ntransfer-encoding: chunked/i.test(head)
      const announced = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      this.#missing = this.#status === 304 ? 0 : isChunked ? undefined : announced
      body = bytes.subarray(length - known)
    }
    if (this.#missing === undefined) {
      this.#tail = (this.#tail + body.subarray(-7).toString('latin1')).slice(-7)
      if (this.#tail !== '\r\n0\r\n\r\n') return undefined
      this.#tail = ''
    } else {
      this.#missing -= body.length
      if (this.#missing > 0) return undefined
    }
    const status = this.#status
    this.#status = 0
    return status
  }
}

function encode({ method = 'GET', path, headers = {}, body = '' }: RequestSpec): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (body !== '') head += `Content-Length: ${body.length}\r\n`
  return `${head}\r\n${body}`
}
