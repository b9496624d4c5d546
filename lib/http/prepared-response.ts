import { promisify } from 'node:util'
import zlib from 'node:zlib'
import etag from 'etag'
import type { HttpRequest, HttpResponse } from './handler'
import { JSON_TYPE, sendBody } from './send-json'

/** A response that is hashed and compressed once and sent many times. */
export class PreparedResponse {
  readonly #body: Buffer
  readonly #etag: string
  #compressed: Promise<Buffer> | undefined
  readonly #contentType: string

  /**
   * @param contentType default: JSON
   */
  constructor(body: Buffer, contentType = JSON_TYPE) {
    this.#contentType = contentType
    this.#body = body
    this.#etag = etag(this.#body, { weak: true })
  }

  /**
   * Sends the body with 200, compressed when the client accepts gzip, or 304 when the client's cache has it.
   */
  async send(
    request: HttpRequest,
    response: HttpResponse,
    { compression }: { compression: boolean },
  ): Promise<void> {
    if (compression) response.vary('Accept-Encoding')
    response.setHeader('ETag', this.#etag)
    if (request.fresh) {
      response.statusCode = 304
      response.end()
      return
    }
    const zipped = compression && request.acceptsEncodings('gzip')
    const body = zipped ? await this.#compress() : this.#body
    if (zipped) response.setHeader('Content-Encoding', 'gzip')
    response.setHeader('Content-Type', this.#contentType)
    sendBody(response, body)
  }

  /** Compresses the body once for all clients, and again if that has failed. */
  #compress(): Promise<Buffer> {
    this.#compressed ??= promisify(zlib.gzip)(this.#body).catch((error: unknown) => {
      this.#compressed = undefined
      throw error
    })
    return this.#compressed
  }
}
