import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** The address on which every server of the benchmark listens: a name would cost a look-up, and differ by machine. */
export const HOST = '127.0.0.1'

export interface RequestSpec {
  method: string
  path: string
  headers?: Record<string, string>
  /** ASCII text. */
  body?: string
}

export interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  /** Unzipped. */
  body: Buffer
}

/**
 * Sends one request on a connection of its own and reads the answer, for whatever is not measured.
 *
 * @throws NodeJS.ErrnoException when there is no answer, for instance ECONNREFUSED
 */
export function exchange(port: number, { method, path, headers, body }: RequestSpec): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: HOST, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const received = Buffer.concat(chunks)
        const zipped = response.headers['content-encoding'] === 'gzip'
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: zipped ? gunzipSync(received) : received,
        })
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** The request as it goes over the wire, one character a byte. */
export function encodeRequest({ method, path, headers = {}, body = '' }: RequestSpec): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (body !== '') head += `Content-Length: ${body.length}\r\n`
  return `${head}\r\n${body}`
}
