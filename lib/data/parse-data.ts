import { parse } from 'json-parse-helpfulerror'
import { toDataError } from './data-faults'
import { type Data, validData } from './data-source'
import { GuardedFile } from './guarded-file'

/**
 * Parses the text of a data file. An empty one has no collections, as in json-server.
 *
 * @param name names the file in an error's sentence
 * @throws DataError when it is not JSON (with line and column) or cannot be served
 */
export function parseData(text: Buffer, name: string): Data {
  // As in json-server, a byte order mark and white space around the data do no harm.
  const json = text.toString().trim()
  if (json === '') return {}
  try {
    return validData(parse(json), name)
  } catch (error) {
    throw toDataError(error, name)
  }
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
