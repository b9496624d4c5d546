import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A process id above any that a system gives. */
export const NO_PROCESS = 2 ** 31 - 1

/** A new folder in the system's folder for temporary files. The caller removes it. */
export async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), 'json-server-bearer-')))
}

/** Fresh folders for the tests of a file, removed after each test. */
export function tempFolders(): () => Promise<string> {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await makeFolder()
    folders.push(folder)
    return folder
  }
}
