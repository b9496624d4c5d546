import { camelCase, decamelize } from 'yargs-parser'
import { nearestName } from '../../nearest-name'
import { ROWS, rowOf } from './flags'

/** Names a flag as it is written in one place, to turn it on or, with the value false, off. */
export type Write = (flag: string, value?: unknown) => string

export const onCommandLine: Write = (flag, value) => {
  const name = decamelize(value === false ? `no-${flag}` : flag)
  return name.length === 1 ? `-${name}` : `--${name}`
}

export function inFile(file: string): Write {
  return (flag) => `"${flag}" in ${file}`
}

/** What people mean by names that no flag is near to. */
const MEANINGS = [
  ['did you mean --allow all?', 'no-auth no-login no-token no-jwt disable-auth skip-auth allow-all open'],
  ['did you mean --user name:password?', 'auth login-user password credentials username'],
  ['set the variable JWT_SECRET.', 'secret jwt-secret jwt token-secret'],
  ['name the data file without a flag.', 'file data db data-file database source input'],
  ['did you mean --static?', 'root dir folder directory public-dir serve'],
  ['every file that changes is loaded again anyway.', 'reload live-reload hot hot-reload poll'],
  ['did you mean --in-memory? Then a restart begins with the file.', 'reset no-save memory dry-run'],
] as const

/** What to do about an unknown name. */
export function advice(name: string, value: unknown, write: Write): string {
  const wanted = value === false ? `no-${name}` : name
  const opposite = rowOf(`no-${wanted}`)
  if (opposite !== undefined) return `it is on by default, and ${write(opposite.flag)} turns it off.`
  const meaning = MEANINGS.find(([, names]) => names.split(' ').map(camelCase).includes(camelCase(wanted)))
  if (meaning !== undefined) return meaning[0]
  const known = ROWS.filter(({ inFileOnly }) => !inFileOnly || write !== onCommandLine)
  const nearest = nearestName(
    wanted,
    known.map(({ flag }) => flag),
  )
  return nearest ? `did you mean ${write(nearest)}?` : 'there is no such flag, see --help.'
}
