import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import etag from 'etag'
import type { HttpRequest, HttpResponse } from './handler'
import { sendBody } from './send-json'

const compress = promisify(gzip)

/**
 * A JSON response that is serialised, hashed and compressed once and sent many times.
 *
 * @param body the JSON, in pieces: a large text may not fit into the heap, which buffers are not part of
 */
export class PreparedJson {
  readonly #body: Buffer
  readonly #etag: string
  #compressed: Promise<Buffer> | undefined

  constructor(...body: readonly Buffer[]) {
    this.#body = Buffer.concat(body)
    this.#etag = etag(this.#body, { weak: true })
  }

  /**
   * Sends the JSON with 200, compressed when the client accepts gzip, or 304 when the client's cache has it.
   */
  async send(
    request: HttpRequest,
    response: HttpResponse,
    { compression }: { compression: boolean },
  ): Promise<void> {
    response.setHeader('ETag', this.#etag)
    if (compression) response.vary('Accept-Encoding')
    const zipped =
      compression &&
      !request.fresh &&
      request.headers['accept-encoding'] !== undefined &&
      request.acceptsEncodings('gzip')
    const body = zipped ? await this.#compress() : this.#body
    if (zipped) response.setHeader('Content-Encoding', 'gzip')
    sendBody(request, response, body, { tag: this.#etag })
  }

  #compress(): Promise<Buffer> {
    this.#compressed ??= compress(this.#body)
    return this.#compressed
  }
}
