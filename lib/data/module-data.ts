import { existsSync } from 'node:fs'
import { errorMessage } from '../error-code'
import { loadModule } from '../load-module'
import { type FileWatcher, watchFile } from '../watch-file'
import { type Data, DataError, MemoryData, validData } from './data-source'

/** Data in memory that a function in a JavaScript or TypeScript file has made; made anew when the file changes. */
export class ModuleData extends MemoryData {
  readonly #watcher: FileWatcher

  /**
   * @param file path of a module that exports a function, which returns the data or a promise of it
   * @throws DataError when there is no such function, or json-server could not serve what it returns
   */
  static async open(file: string): Promise<ModuleData> {
    return new ModuleData(file, await makeData(file))
  }

  private constructor(file: string, data: Data) {
    super(data)
    this.#watcher = watchFile(file, () => {
      makeData(file).then(
        (made) => this.replace(made),
        (error) => this.emit('fault', error),
      )
    })
  }

  override async close(): Promise<void> {
    this.#watcher.close()
  }
}

async function makeData(file: string): Promise<Data> {
  if (!existsSync(file)) throw new DataError(`${file} does not exist.`)
  try {
    const make = loadModule(file)
    if (typeof make !== 'function')
      throw new DataError(`${file} must export a function that returns the data.`)
    return validData(await make(), `What ${file} returns`)
  } catch (error) {
    throw error instanceof DataError ? error : new DataError(`${file} failed: ${errorMessage(error)}.`)
  }
}
