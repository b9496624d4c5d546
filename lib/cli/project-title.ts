import { readFileSync } from 'node:fs'
import path from 'node:path'
import { printable } from '../data/open-data'
import { isRecord } from '../is-record'

/**
 * What the page of `--docs` is called: the name in the package.json of the current folder, or else the name
 * of the source of data, without its extension.
 *
 * @param source path or address of the data
 */
export function projectTitle(source: string): string {
  return packageName() ?? path.parse(printable(source)).name
}

/** Undefined where there is no package.json, or where it cannot be read: npm says what is wrong with it. */
function packageName(): string | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
    const name = isRecord(content) ? content.name : undefined
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    return undefined
  }
}
