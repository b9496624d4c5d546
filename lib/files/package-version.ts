import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isRecord } from '../is-record'

/** The version of this package, from its package.json. */
export function packageVersion(): string {
  // A published package holds this file one folder deeper, in dist/lib/files.
  const [file = ''] = ['../..', '../../..']
    .map((folder) => path.join(__dirname, folder, 'package.json'))
    .filter((candidate) => existsSync(candidate))
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return String(isRecord(content) && content.version)
}
