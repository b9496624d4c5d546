import { decamelize } from 'yargs-parser'
import { nearestName } from '../../nearest-name'
import { ROWS, rowOf } from './flags'

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

/** What is said of an unknown flag, which is ignored, and what to do about it. With the value false, it turns off. */
export function advice(name: string, value: unknown): string {
  if (!/^[\w-]+$/.test(name))
    return `${JSON.stringify(name)} is ignored: ${
      /^(?:[A-Z]+ +)?\//.test(name)
        ? 'rules belong into routes.json, or into the key "routes".'
        : 'there is no such key, see --help.'
    }`
  const wanted = decamelize(value === false ? `no-${name}` : name)
  const asGiven = wanted.length === 1 ? `-${wanted}` : `--${wanted}`
  return `${asGiven} is ignored: ${suggestion(wanted)}`
}

function suggestion(wanted: string): string {
  const opposite = rowOf(`no-${wanted}`)
  if (opposite !== undefined) return `it is on by default, and --${opposite.flag} turns it off.`
  const [meaning] = MEANINGS.find(([, names]) => names.split(' ').includes(wanted)) ?? []
  if (meaning !== undefined) return meaning
  const nearest = nearestName(
    wanted,
    ROWS.map(({ flag }) => flag),
  )
  return nearest ? `did you mean --${nearest}?` : 'there is no such flag, see --help.'
}
