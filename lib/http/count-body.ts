import type { IncomingMessage } from 'node:http'
import { BODY_LIMITS } from './body-limits'
import { FieldOrders, mix } from './field-orders'

/** The most bytes of a body that is not in UTF-8: it is not counted, but cannot hold much. */
const LONGEST_UNCOUNTED = 250_000

/** An error like those of body-parser: the error handler has a sentence for each type. */
class BodyError extends Error {
  readonly status = 413

  constructor(readonly type: 'entity.too.large' | 'entity.too.many') {
    super(type)
  }
}

/** How many values take as long to parse as a field in a new order. */
const NEW_FIELD = 20

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE, END, MINUS, POINT] = Buffer.from('"\\,:[{}-.')

/**
 * Counts the values in a JSON body before it is parsed, in one pass over its bytes: parsing, storing and
 * sending too many would delay every other request for seconds. For the option `verify` of body-parser, which
 * is called after inflating.
 *
 * @param charset the name of its encoding, in lower case
 * @throws BodyError 413 when it holds more than can be handled in about a quarter of a second
 */
export function countBody(
  _request: IncomingMessage,
  _response: unknown,
  body: Buffer,
  charset: string,
): void {
  if (charset !== 'utf-8') {
    if (body.length > LONGEST_UNCOUNTED) throw new BodyError('entity.too.large')
    return
  }
  const names = new Set<number>()
  const orders = new FieldOrders()
  let values = 1
  let objects = 0
  let hash = 0
  for (let position = 0; position < body.length; position += 1) {
    const byte = body[position]
    if (byte === QUOTE) {
      hash = 0
      for (position += 1; position < body.length && body[position] !== QUOTE; position += 1) {
        hash = mix(hash, body[position])
        // An escape stands for another character, and an escaped quotation mark does not end the string.
        if (body[position] === BACKSLASH) hash = mix(hash, body[++position])
      }
    } else if (byte === COMMA || byte === MINUS || byte === POINT) {
      // A number that is not a small integer takes as long as two values.
      values += 1
    } else if (byte === COLON) {
      // The last string was a name.
      orders.add(hash)
      if (names.add(hash).size > BODY_LIMITS.names) throw new BodyError('entity.too.many')
    } else if (byte === BRACKET || byte === BRACE) {
      objects += 1
      values += 1
      if (byte === BRACE) orders.begin()
      if (objects > BODY_LIMITS.objects) throw new BodyError('entity.too.many')
    } else if (byte === END) {
      values += NEW_FIELD * orders.end()
    }
    if (values > BODY_LIMITS.values) throw new BodyError('entity.too.many')
  }
}
