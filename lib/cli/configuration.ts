import { readFileSync } from 'node:fs'
import { parse } from 'json-parse-helpfulerror'
import { errorMessage } from '../error-code'
import { isRecord } from '../is-record'
import { loadModule } from '../load-module'
import { moduleFile, UsageError } from './setting-values'

/**
 * Reads a configuration file: JSON, or a module that exports an object, as json-server takes it.
 *
 * @param name the flag that named the file, for an error
 * @throws UsageError when it cannot be read or holds something else
 */
export function readConfiguration(given: string, name: string): Record<string, unknown> {
  const file = moduleFile('configuration file', given, name)
  return objectIn(file, 'configuration file', file.endsWith('.json') ? readJson : loadModule)
}

/**
 * Reads a JSON file that holds an object.
 *
 * @param what names the file in an error
 * @throws UsageError when it cannot be read or holds something else
 */
export function readJsonObject(file: string, what: string): Record<string, unknown> {
  return objectIn(file, what, readJson)
}

function readJson(file: string): unknown {
  return parse(readFileSync(file, 'utf8').trim())
}

function objectIn(file: string, what: string, read: (file: string) => unknown): Record<string, unknown> {
  let content: unknown
  try {
    content = read(file)
  } catch (error) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${errorMessage(error)}.`)
  }
  if (!isRecord(content)) throw new UsageError(`The ${what} ${file} must hold an object: {"name": value}.`)
  return content
}
