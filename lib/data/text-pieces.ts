import { constants } from 'node:buffer'

/** About how many characters a piece has. */
const PIECE_LENGTH = 65_536

/** How many records become text at once at most. Small ones take twice the processor time one by one. */
const MOST_AT_ONCE = 16

/**
 * Records as they stand in an array: the bytes of `JSON.stringify` with two spaces for each level, without
 * the brackets of the array. A text of all records might not fit into the heap, which buffers are not part
 * of: in it, one character beyond Latin-1 makes every character take two bytes.
 *
 * @param depth how many levels there are around each record
 * @throws RangeError when they are longer than a string can be, as `JSON.stringify` does
 */
export function textInPieces(records: readonly unknown[], depth: 1 | 2): Buffer[] {
  const between = `,\n${'  '.repeat(depth)}`
  const before = depth === 1 ? '[\n  ' : '[\n  [\n    '
  const after = depth === 1 ? '\n]' : '\n  ]\n]'
  const pieces: Buffer[] = []
  let piece = ''
  let count = 1
  let length = 0
  for (let position = 0; position < records.length; ) {
    const batch = records.slice(position, position + count)
    const text = JSON.stringify(depth === 1 ? batch : [batch], null, 2).slice(before.length, -after.length)
    piece += position === 0 ? text : between + text
    position += batch.length
    if (piece.length >= PIECE_LENGTH || position === records.length) {
      pieces.push(Buffer.from(piece))
      length += piece.length
      piece = ''
    }
    if (length > constants.MAX_STRING_LENGTH) throw new RangeError('The text is too long.')
    // Large records become text one by one.
    count = Math.min(MOST_AT_ONCE, Math.ceil((batch.length * PIECE_LENGTH) / text.length))
  }
  return pieces
}
