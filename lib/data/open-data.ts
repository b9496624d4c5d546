import { errorMessage } from '../error-code'
import { isFolder } from '../files/is-folder'
import { isModule } from '../files/load-module'
import { isRecord } from '../is-record'
import type { Warn } from '../warn'
import { DataFile } from './data-file'
import { type DataSource, MemoryData } from './data-source'
import { FolderData } from './folder-data'
import { ModuleData } from './module-data'
import { PostgresData } from './postgresql-data'
import { readFiles } from './read-files'
import { isPostgresql, isRemoteSource, printable } from './source-address'
import { type Data, DataError, validData } from './valid-data'

interface SourceOptions {
  /**
   * Path of a JSON file, of a folder of such files, or of a `.js`, `.cjs`, `.mjs` or `.ts` file that exports a function; or
   * an http(s) address, or that of a PostgreSQL database.
   */
  source: string
  /** Whether files or a database are only read, once, and never written. */
  inMemory: boolean
  /** Path of a JSON file, or of a folder of them, that fills an empty database. */
  fill?: string
  /** What ends the name of a foreign key. */
  foreignKeySuffix?: string
  /** Told what a person should know while the source is used. */
  warn: Warn
}

/**
 * Opens a source of data. All but files, folders and databases lives in memory, as in json-server.
 *
 * @throws DataError when there is nothing there, or nothing that json-server could serve
 */
export async function openSource({
  source,
  inMemory,
  fill,
  foreignKeySuffix,
  warn,
}: SourceOptions): Promise<DataSource> {
  if (isPostgresql(source)) {
    const data = await PostgresData.open(source, { fill, warn })
    if (!inMemory) return data
    await data.close()
    return new MemoryData(data.state, { isOwn: true })
  }
  if (fill !== undefined) warn('--fill is ignored: it fills an empty PostgreSQL database.')
  if (isRemoteSource(source)) return new MemoryData(await download(source), { isOwn: true })
  if (isModule(source)) return ModuleData.open(source, warn)
  if (!isSaved(source)) {
    throw new DataError(
      `${printable(source)} is not a source of data: give a .json, .js, .cjs, .mjs or .ts file, a folder of .json files, or a URL.`,
    )
  }
  if (inMemory) return new MemoryData(readFiles(source, warn), { isOwn: true })
  return isFolder(source)
    ? FolderData.open(source, { foreignKeySuffix, warn })
    : DataFile.open(source, { warn })
}

/** Whether changes are saved to a source, unless `--in-memory` is given. */
export function isSaved(source: string): boolean {
  return isPostgresql(source) || isJsonFile(source) || isFolder(source) === true
}

function isJsonFile(source: string): boolean {
  return source.endsWith('.json') && !isRemoteSource(source)
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
