import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '../error-code'

/**
 * The names that json-server gives to snapshots, which are copies of all data; in any case, as Windows reads.
 */
const SNAPSHOT = /^db-\d+\.json$/i

/**
 * Whether a file must not be served: a snapshot, a private file or a link to one, a file that is named
 * after one, such as a staged write, a lock, or an editor's backup, or whatever is in a private folder. A symbolic link
 * has two names: its own, and that of the file to which it leads.
 *
 * Only a person who may write to the folder could exchange the file between this check and the opening.
 *
 * @param file path of a file that exists
 * @param privateFiles paths of files, or of folders, that may or may not exist
 * @param served the folder that is served: where it is in a private one, somebody has chosen it
 * @throws NodeJS.ErrnoException when one of the files cannot be examined
 */
export async function isPrivate(
  file: string,
  { privateFiles, served }: { privateFiles: readonly string[]; served: string },
): Promise<boolean> {
  const names = await namesOf(file)
  const [, servedFolder] = await namesOf(served)
  if (names.some((name) => isSnapshot(path.basename(name)))) return true
  // Windows numbers its files with 64 bits, which only a bigint holds.
  const { dev, ino } = await stat(file, { bigint: true })
  for (const privateFile of privateFiles) {
    const others = await namesOf(privateFile)
    if (
      names.some((name) =>
        others.some((other) => isNamedAfter(name, other) || isKeptIn(other, name, servedFolder)),
      )
    )
      return true
    const other = await stat(privateFile, { bigint: true }).catch(valueIfMissing(undefined))
    if (other?.dev === dev && other.ino === ino) return true
  }
  return false
}

/** Whether a name is that of a snapshot. */
export function isSnapshot(name: string): boolean {
  return SNAPSHOT.test(name)
}

/** Whether a file is in a private folder, and in none that is served of it. */
function isKeptIn(folder: string, file: string, served: string): boolean {
  return isIn(folder, file) && !(isIn(folder, served) && isIn(served, file))
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep)
}

/** The given name of a file, in its real folder, and the one to which symbolic links lead. */
function namesOf(file: string): Promise<[given: string, real: string]> {
  const { dir, base } = path.parse(path.resolve(file))
  const given = path.join(dir, base)
  return Promise.all([
    realpath(dir).then((folder) => path.join(folder, base), valueIfMissing(given)),
    realpath(given).catch(valueIfMissing(given)),
  ])
}

/** Gives a value for a file that does not exist. Any other error must not make a private file public. */
function valueIfMissing<Value>(value: Value): (error: unknown) => Value {
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
