import { errorMessage } from '../error-code'
import { isModule } from '../files/load-module'
import { isRecord } from '../is-record'
import type { Warn } from '../warn'
import { DataFile } from './data-file'
import { type DataSource, MemoryData } from './data-source'
import { WholeFile } from './file/whole-file'
import { ModuleData } from './module-data'
import { readData } from './parse-data'
import { type Data, DataError, validData } from './valid-data'

export interface SourceOptions {
  /**
   * Path of a JSON file, or of a `.js`, `.cjs` or `.ts` file that exports a function, or an http(s) address.
   */
  source: string
  /** Whether a JSON file is only read, once, and never written. */
  inMemory: boolean
  /** Told what a person should know while the source is used. */
  warn: Warn
}

/**
 * Opens a source of data. All but a JSON file lives in memory, as in json-server.
 *
 * @throws DataError when there is nothing there, or nothing that json-server could serve
 */
export async function openSource({ source, inMemory, warn }: SourceOptions): Promise<DataSource> {
  if (isAddress(source)) return new MemoryData(await download(source), { isOwn: true })
  if (isModule(source)) return ModuleData.open(source, warn)
  if (!isJsonFile(source)) {
    throw new DataError(
      `${printable(source)} is not a source of data: give a .json, .js, .cjs or .ts file, or a URL.`,
    )
  }
  if (!inMemory) return DataFile.open(source, { warn })
  return new MemoryData(readData(new WholeFile(source, warn)).data, { isOwn: true })
}

/** A source as it may be printed: an address without its query and its user, which may hold secrets. */
export function printable(source: string): string {
  if (!isAddress(source) || !URL.canParse(source)) return source.replace(/\/\/.*@/s, '//')
  const { protocol, host, pathname } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** Whether a source is a JSON file, where changes are saved unless `--in-memory` is given. */
export function isJsonFile(source: string): boolean {
  return source.endsWith('.json') && !isAddress(source)
}

function isAddress(source: string): boolean {
  return /^https?:/i.test(source)
}

async function download(url: string): Promise<Data> {
  const name = printable(url)
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`its response was ${response.status}`)
    return validData(await response.json(), name)
  } catch (error) {
    if (error instanceof DataError) throw error
    if (error instanceof SyntaxError) throw new DataError(`${name} did not respond with JSON.`)
    // Node's fetch says only "fetch failed", and gives the reason as the cause.
    const { cause = error } = isRecord(error) ? error : {}
    throw new DataError(`${name} cannot be read: ${errorMessage(cause).replaceAll(url, name)}.`)
  }
}
