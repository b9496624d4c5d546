import { parse } from 'json-parse-helpfulerror'
import { notReadable } from './file/file-errors'
import type { WholeFile } from './file/whole-file'
import { type Data, DataError, validData } from './valid-data'

/**
 * Parses JSON, with or without a byte order mark.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON, with line and column
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [firstLine = ''] = error.message.split('\n')
    const [, problem = firstLine, line, column] = /^(.*) at (\d+):(\d+)$/.exec(firstLine) ?? []
    const position = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw new DataError(`${name} is not valid JSON${position}: ${problem}.`)
  }
}

/**
 * Parses the text of a data file. An empty one has no collections, as in json-server.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON (with line and column) or cannot be served
 */
export function parseData(text: Buffer, name: string): Data {
  const json = text.toString()
  return json.trim() === '' ? {} : validData(parseJson(json, name), name)
}

/**
 * Reads a data file.
 *
 * @param name names the file in an error's sentence
 * @throws DataError as {@link parseData}, and when the file cannot be read
 */
export function readData(file: WholeFile, name = file.path): { data: Data; text: Buffer } {
  try {
    const text = file.read()
    return { data: parseData(text, name), text }
  } catch (error) {
    throw notReadable(error, name)
  }
}
