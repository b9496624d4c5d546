const LINE_FEED = 0x0a

/**
 * Finds the ends of the answers on one connection, and keeps nothing but their status. Node's own HTTP client does much
 * more, and would be slower than the servers it should measure.
 */
export class ResponseReader {
  /** The head as far as it has come, one character a byte. */
  #head = ''
  /** 0 while the head has not come whole. */
  #status = 0
  /** Bytes of the body that have not come yet, when its length was announced. */
  #missing = 0
  #chunked: ChunkedBody | undefined

  /**
   * Takes in bytes; it does not keep them.
   *
   * @returns the status of the answer when they complete it
   * @throws Error when they go on after its end: no second request has been sent
   */
  push(bytes: Buffer): number | undefined {
    const body = this.#status === 0 ? this.#readHead(bytes) : bytes
    if (body === undefined || !this.#readBody(body)) return undefined
    const status = this.#status
    this.#status = 0
    return status
  }

  /** @returns the bytes after the head, or undefined when it has not come whole */
  #readHead(bytes: Buffer): Buffer | undefined {
    const known = this.#head.length
    const end = known === 0 ? bytes.indexOf('\r\n\r\n') : -1
    // The body can be large: only the head becomes text.
    this.#head += bytes.toString('latin1', 0, end === -1 ? bytes.length : end + 4)
    const length = this.#head.indexOf('\r\n\r\n') + 4
    if (length < 4) return undefined
    const head = this.#head.slice(0, length)
    this.#head = ''
    this.#status = Number(head.slice(9, 12))
    const hasBody = this.#status !== 204 && this.#status !== 304
    this.#chunked = hasBody && /\r\ntransfer-encoding: chunked/i.test(head) ? new ChunkedBody() : undefined
    this.#missing = hasBody ? Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) : 0
    return bytes.subarray(length - known)
  }

  /** @returns whether the body has come whole */
  #readBody(bytes: Buffer): boolean {
    if (this.#chunked !== undefined) return this.#chunked.push(bytes)
    this.#missing -= bytes.length
    if (this.#missing < 0) throw new Error('The server sent more than one answer to one request.')
    return this.#missing === 0
  }
}

/** Finds the end of a body in chunks (RFC 9112 section 7.1) without trailers. */
class ChunkedBody {
  /** The line with the size of a chunk, as far as it has come. */
  #line = ''
  /** Bytes until the next such line. */
  #skipped = 0
  #isLast = false

  /** @returns whether the body has come whole */
  push(bytes: Buffer): boolean {
    let position = 0
    while (position + this.#skipped < bytes.length) {
      position += this.#skipped
      this.#skipped = 0
      const end = bytes.indexOf(LINE_FEED, position)
      this.#line += bytes.toString('latin1', position, end === -1 ? bytes.length : end)
      if (end === -1) return false
      const size = Number.parseInt(this.#line, 16)
      this.#line = ''
      this.#isLast = size === 0
      this.#skipped = size + 2
      position = end + 1
    }
    this.#skipped -= bytes.length - position
    return this.#isLast && this.#skipped === 0
  }
}
