import { statSync } from 'node:fs'

/**
 * Whether a path leads to a folder.
 *
 * @returns undefined where there is nothing
 */
export function isFolder(file: string): boolean | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory()
}
