import { existsSync, readFileSync } from 'node:fs'
import { parseJson } from '../../data/parse-data'
import { DataError } from '../../data/valid-data'
import { errorMessage } from '../../error-code'
import { isRecord } from '../../is-record'
import { isModule, loadModule } from '../../load-module'
import { UsageError } from './usage-error'

/**
 * Reads a JSON file, or a module, that holds an object: a configuration as json-server takes it, or rewrite
 * rules.
 *
 * @param what names the kind of file in an error
 * @throws UsageError when it cannot be read or holds something else
 * @throws DataError when it is not JSON, with line and column
 */
export function readObject(file: string, what: string): Record<string, unknown> {
  const content = readContent(file, what)
  if (!isRecord(content)) throw new UsageError(`The ${what} ${file} must hold an object: {"name": value}.`)
  return content
}

/**
 * Reads a JSON file, or a module, that holds any value.
 *
 * @param what names the kind of file in an error
 * @throws UsageError when it cannot be read
 * @throws DataError when it is not JSON, with line and column
 */
export function readContent(file: string, what: string): unknown {
  try {
    return isModule(file) ? loadModule(file) : parseJson(readFileSync(file), file)
  } catch (error) {
    if (error instanceof DataError) throw error
    if (!existsSync(file))
      throw new UsageError(`The ${what} ${file} does not exist: create it, or name another.`)
    throw new UsageError(`The ${what} ${file} cannot be read: ${errorMessage(error)}.`)
  }
}
