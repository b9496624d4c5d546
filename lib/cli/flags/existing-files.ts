import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Kind, list, TEXT } from './setting-values'
import { UsageError } from './usage-error'

/** Paths of modules. */
export const MIDDLEWARES = list({
  read: (given, name) => moduleFile('middleware', TEXT.read(given, name), name),
})

/** The path of a file or folder that must exist. */
export function existing(what: string): Kind<string> {
  return {
    read: (given, name) => {
      const file = TEXT.read(given, name)
      if (!existsSync(file)) throw missing(what, file, name)
      return file
    },
  }
}

/**
 * Finds the file of a module, whose path can be written as for `require`: without an extension, or as the
 * folder of a package.
 *
 * @throws UsageError when it does not exist
 */
export function moduleFile(what: string, file: string, name: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file
  try {
    return path.relative('', require.resolve(path.resolve(file)))
  } catch {
    throw missing(what, file, name)
  }
}

/** The error for a file or folder that a flag names. */
export function missing(what: string, file: string, name: string): UsageError {
  return new UsageError(`The ${what} ${file} does not exist: check ${name}.`)
}
