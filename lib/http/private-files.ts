import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../error-code'

/** The name of a snapshot, as json-server gives it: a copy of all data. */
const SNAPSHOT = /^db-\d+\.json$/

/**
 * Whether a file must not be served: because it is one of the private files, under whatever name (symbolic and hard links),
 * because it is beside one and named after it (a staged write, a lock, an editor's backup), or because it is a snapshot.
 *
 * Between this check and the opening, only a person who may write to the folder could exchange the file.
 *
 * @param file path of a file that exists
 * @param privateFiles paths of files that may or may not exist
 * @throws NodeJS.ErrnoException when the file cannot be looked at
 */
export async function isPrivate(file: string, privateFiles: readonly string[]): Promise<boolean> {
  const real = await realpath(file)
  if (SNAPSHOT.test(path.basename(real))) return true
  const identity = await identify(real)
  for (const privateFile of privateFiles) {
    const realPrivate = await realpath(privateFile).catch(unlessMissing(path.resolve(privateFile)))
    if (isNamedAfter(real, realPrivate)) return true
    if (identity === (await identify(realPrivate).catch(unlessMissing(undefined)))) return true
  }
  return false
}

/** The same for all hard links to a file. */
async function identify(file: string): Promise<string> {
  const { dev, ino } = await stat(file, { bigint: true })
  return `${dev} ${ino}`
}

/** Gives a value for a file that does not exist. Any other error must not make a private file public. */
function unlessMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)))) return value
    throw error
  }
}

/** Whether it is the other file, or one beside it such as `db.json.lock`, `db.json~`, `#db.json#` or `.db.json.swp`. */
function isNamedAfter(file: string, other: string): boolean {
  const name = withoutMarks(path.basename(file))
  const otherName = withoutMarks(path.basename(other))
  return (
    path.dirname(file) === path.dirname(other) &&
    name.startsWith(otherName) &&
    !/^[a-z0-9]/.test(name.slice(otherName.length))
  )
}

/** Editors put marks before the name of a file for what they keep beside it. */
function withoutMarks(name: string): string {
  return name.replace(/^[^\p{L}\p{N}]+/u, '').toLowerCase()
}
