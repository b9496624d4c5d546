import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../error-code'

/** The names that json-server gives to snapshots, which are copies of all data. */
const SNAPSHOT = /^db-\d+\.json$/

/**
 * Whether a file must not be served because of its name, whether or not it exists: the name of a snapshot, of
 * a private file, or of a file named after one (a staged write, a lock, an editor's backup). A private file
 * that is a symbolic link has two names: its own, and that of the file to which it leads.
 *
 * @param privateFiles paths of files that may or may not exist
 * @throws NodeJS.ErrnoException when there is no such folder
 */
export async function hasPrivateName(file: string, privateFiles: readonly string[]): Promise<boolean> {
  const name = await inRealFolder(file)
  if (SNAPSHOT.test(path.basename(name))) return true
  const privateNames = await Promise.all(privateFiles.map(namesOf))
  return privateNames.flat().some((other) => isNamedAfter(name, other))
}

/**
 * Whether a file must not be served because it is a symbolic or hard link to a private file.
 *
 * Only a person who may write to the folder could exchange the file between this check and the opening.
 *
 * @param file path of a file that exists
 * @param privateFiles paths of files that may or may not exist
 * @throws NodeJS.ErrnoException when the file cannot be examined
 */
export async function isPrivate(file: string, privateFiles: readonly string[]): Promise<boolean> {
  if (await hasPrivateName(await realpath(file), privateFiles)) return true
  const identity = await identify(file)
  for (const privateFile of privateFiles)
    if (identity === (await identify(privateFile).catch(unlessMissing(undefined)))) return true
  return false
}

/** The given name of a file, and the one to which symbolic links lead. */
function namesOf(file: string): Promise<string[]> {
  const given = path.resolve(file)
  return Promise.all([inRealFolder, realpath].map((name) => name(given).catch(unlessMissing(given))))
}

/** The path with all links in its folder resolved, but not the file itself. */
async function inRealFolder(file: string): Promise<string> {
  const { dir, base } = path.parse(path.resolve(file))
  return path.join(await realpath(dir), base)
}

/** The same for all links to a file. */
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

/**
 * Whether a file is the other one, or is named after it, such as `db.json.lock`, `db.json~`, `#db.json#` or
 * `.db.json.swp`.
 */
function isNamedAfter(file: string, other: string): boolean {
  const name = withoutMarks(path.basename(file))
  const otherName = withoutMarks(path.basename(other))
  return (
    path.dirname(file) === path.dirname(other) &&
    name.startsWith(otherName) &&
    !/^[a-z0-9]/.test(name.slice(otherName.length))
  )
}

/** Editors put marks before the name of a file to name the files that they keep beside it. */
function withoutMarks(name: string): string {
  return name.replace(/^[^\p{L}\p{N}]+/u, '').toLowerCase()
}
