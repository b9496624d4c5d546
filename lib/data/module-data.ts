import { existsSync } from 'node:fs'
import { errorMessage } from '../error-code'
import { versionOf } from '../files/file-version'
import { LoadError, loadModule } from '../files/load-module'
import { WATCH_INTERVAL } from '../files/watch-file'
import { isFunction } from '../is-record'
import type { Warn } from '../warn'
import { copyOf } from './copy-of'
import { DataSource } from './data-source'
import type { DataStorage } from './data-storage'
import { type Data, DataError, validData } from './valid-data'

/**
 * Data of a JavaScript or TypeScript file, which exports a function. What that returns lives in memory; it is
 * called again when the file changes.
 */
export class ModuleData extends DataSource {
  private constructor(data: Data, module: StoredModule, { name, warn }: { name: string; warn: Warn }) {
    super(data, module, { name, warn, lookEvery: WATCH_INTERVAL })
  }

  /**
   * @param file path of a module
   * @param warn told what a person should know while nobody listens to `unusable`
   * @throws DataError when it exports no function, or json-server could not serve the data
   */
  static async open(file: string, warn: Warn): Promise<ModuleData> {
    // The version is from before the call, which may take long, so that a change during it is noticed.
    const module = new StoredModule(file, versionOf(file))
    return new ModuleData(await makeData(file), module, { name: file, warn })
  }
}

/** A module, whose data is never saved. */
class StoredModule implements DataStorage {
  readonly #file: string
  #version: string
  /** What the last call of the function has returned, or why it has failed, until it is loaded. */
  #made: Data | DataError | undefined

  /** @param version of the file whose function was called */
  constructor(file: string, version: string) {
    this.#file = file
    this.#version = version
  }

  load(): Data | undefined {
    const version = versionOf(this.#file)
    if (version !== this.#version) this.#make(version)
    const made = this.#made
    this.#made = undefined
    if (made instanceof DataError) throw made
    return made
  }

  /** Calls the function for a version of the file. One that never returns does not keep the next from being called. */
  async #make(version: string): Promise<void> {
    this.#version = version
    const made = await makeData(this.#file).catch((error: unknown) => failureOf(this.#file, error))
    // A slow call may end after its successor.
    if (version === this.#version) this.#made = made
  }
}

/**
 * A copy of what the function that a module exports returns.
 *
 * @throws DataError whatever goes wrong
 */
async function makeData(file: string): Promise<Data> {
  if (!existsSync(file)) throw new DataError(`${file} does not exist: create it, or name another data file.`)
  try {
    const make = loadModule(file)
    if (!isFunction(make)) throw new DataError(`${file} must export a function that returns the data.`)
    const data = validData(await make(), `What ${file} returns`)
    for (const [name, resource] of Object.entries(data))
      checkJson(resource, `What ${file} returns has "${name}"`)
    return copyOf(data)
  } catch (error) {
    throw failureOf(file, error)
  }
}

/** An error of a user's module, whose stack tells the line, is the cause. */
function failureOf(file: string, error: unknown): DataError {
  if (error instanceof DataError) return error
  const cause = error instanceof LoadError ? error.cause : error
  return new DataError(`${file} failed: ${errorMessage(error)}.`, { cause })
}

/** Unlike a file, a function can return values that JSON cannot hold, for instance circular ones. */
function checkJson(resource: unknown, subject: string): void {
  try {
    // Each record has a text of its own, because the text of all could be longer than a string can be.
    for (const part of [resource].flat()) JSON.stringify(part)
  } catch (error) {
    throw new DataError(`${subject}, which JSON cannot hold: ${errorMessage(error)}.`)
  }
}
