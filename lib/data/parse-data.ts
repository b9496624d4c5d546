import { isUtf8 } from 'node:buffer'
import { parse } from 'json-parse-helpfulerror'
import { errorMessage } from '../error-code'
import { notReadable } from './file/file-errors'
import type { WholeFile } from './file/whole-file'
import { type Data, DataError, EmptyError, validData, validResource } from './valid-data'

/**
 * Parses JSON, with or without a byte order mark.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON or not UTF-8, with line and column
 */
export function parseJson(text: Buffer, name: string): unknown {
  return parseText(decode(text, name), name)
}

function parseText(text: string, name: string): unknown {
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const message = errorMessage(error)
    const [, problem = message, line, column] = /^(.*) at (\d+):(\d+)$/.exec(message) ?? []
    const position = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw new DataError(`${name} is not valid JSON${position}: ${problem}.`)
  }
}

/**
 * The text of a file. A byte that is not UTF-8 would be read as another character, and the next write would
 * make that final.
 *
 * @throws DataError when it is not UTF-8
 */
function decode(text: Buffer, name: string): string {
  const decoded = text.toString()
  if (isUtf8(text)) return decoded
  // Node puts this character in the place of what it cannot read.
  const [before = ''] = decoded.split('\ufffd', 1)
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  throw new DataError(`${name} is not UTF-8 at line ${line}, column ${column}: save it in this encoding.`)
}

/**
 * Parses the text of a data file. An empty one has no collections, as in json-server.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON or not UTF-8 (with line and column) or cannot be served
 */
function parseData(text: Buffer, name: string): Data {
  const decoded = decode(text, name)
  return decoded.trim() === '' ? {} : validData(parseText(decoded, name), name)
}

/**
 * Parses a text that takes the place of data. An empty one is refused: an editor may empty a file for a moment while
 * it saves, which must not discard all data.
 *
 * @throws DataError as {@link parseData}; EmptyError for an empty text
 */
export function parseReplacement(text: Buffer, name: string): Data {
  const data = parseData(text, name)
  if (text.includes('{')) return data
  throw new EmptyError(`${name} is empty: it must hold an object, for instance {"blogs": [], "users": []}.`)
}

/**
 * Parses the text of a file that holds one resource.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON or not UTF-8 (with line and column), empty, or neither a list nor an object
 */
export function parseResource(text: Buffer, name: string): unknown {
  const decoded = decode(text, name)
  if (decoded.trim() !== '') return validResource(parseText(decoded, name), name)
  throw new EmptyError(`${name} is empty: it must hold a list or an object, for instance [].`)
}

/**
 * Reads a data file.
 *
 * @throws DataError as {@link parseData}, and when the file cannot be read
 */
export function readData(file: WholeFile): { data: Data; text: Buffer } {
  try {
    const text = file.read()
    return { data: parseData(text, file.path), text }
  } catch (error) {
    throw notReadable(error, file.path)
  }
}
