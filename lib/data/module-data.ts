import { existsSync } from 'node:fs'
import { errorMessage } from '../error-code'
import { loadModule } from '../files/load-module'
import { watchFile } from '../files/watch-file'
import type { Warn } from '../warn'
import { MemoryData } from './data-source'
import { type Data, DataError, validData } from './valid-data'

/**
 * Data in memory that a function in a JavaScript or TypeScript file returns. It is called again when the file
 * changes.
 *
 * @param file path of a module that exports a function, which returns the data or a promise of it
 * @param warn told what is wrong with the file while nobody listens to `unusable`
 * @throws DataError when there is no such function, or json-server could not serve what it returns
 */
export async function openModule(file: string, warn: Warn): Promise<MemoryData> {
  const data = new MemoryData(await makeData(file))
  // Counts the calls of the function, because a slow one may end after its successor.
  let calls = 0
  async function remakeData(): Promise<void> {
    calls += 1
    const call = calls
    try {
      const made = await makeData(file)
      if (call === calls) data.replace(made)
    } catch (error) {
      const unusable = failureOf(file, error)
      // A warning says it where nobody listens to the event.
      if (call === calls && !data.emit('unusable', unusable)) warn(unusable.message)
    }
  }
  const watcher = watchFile(file, remakeData)
  data.once('close', () => clearInterval(watcher))
  return data
}

/** @throws DataError whatever goes wrong */
async function makeData(file: string): Promise<Data> {
  if (!existsSync(file)) throw new DataError(`${file} does not exist: create it, or name another data file.`)
  try {
    const make = loadModule(file)
    if (typeof make !== 'function')
      throw new DataError(`${file} must export a function that returns the data.`)
    const data = validData(await make(), `What ${file} returns`)
    for (const [name, resource] of Object.entries(data))
      checkJson(resource, `What ${file} returns has "${name}"`)
    return data
  } catch (error) {
    throw failureOf(file, error)
  }
}

function failureOf(file: string, error: unknown): DataError {
  return error instanceof DataError ? error : new DataError(`${file} failed: ${errorMessage(error)}.`)
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
