import { parse } from 'json-parse-helpfulerror'
import { toDataError } from './data-faults'
import { type Data, validData } from './data-source'
import { GuardedFile } from './guarded-file'

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
    throw toDataError(error, name)
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
 * Reads a data file once.
 *
 * @throws DataError as {@link parseData}, and when the file cannot be read
 */
export function readDataFile(file: string): Data {
  try {
    return parseData(new GuardedFile(file).read(), file)
  } catch (error) {
    throw toDataError(error, file)
  }
}
