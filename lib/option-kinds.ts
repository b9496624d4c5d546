import { inspect, types } from 'node:util'
import { isRecord } from './is-record'
import { nearestName } from './nearest-name'

/** What other code looks at, with sentences of its own. */
const LOOKED_AT_ELSEWHERE = 'looked at elsewhere'

/** An async one gives a promise, in which nobody would look for the value: rules would be left out without a word. */
const FUNCTION = 'a function that returns at once'

/** The options of `createApp`, by what each of them must be. */
const OPTIONS = {
  'true or false': [
    'live',
    'docs',
    'sandboxes',
    'openid',
    'readOnly',
    'refreshOnce',
    'anyPassword',
    'cascade',
    'nested',
    'cors',
    'gzip',
    'log',
  ],
  'a string': ['title', 'static', 'idProperty', 'foreignKeySuffix', 'loginUsers', 'refreshIn', 'issuer'],
  'a number': ['tokenLifetime', 'delay'],
  [FUNCTION]: ['clock'],
  'an array': ['logins', 'lookupUsers', 'privateFiles', 'middlewares', 'timeStamps'],
  'a string or false': ['publicCollection'],
  'a string or an array': ['login', 'signUp', 'me', 'refresh', 'logout'],
  [`an object or ${FUNCTION}`]: ['routes', 'schemas'],
  [`an array or ${FUNCTION}`]: ['faults'],
  [LOOKED_AT_ELSEWHERE]: [
    'data',
    'secret',
    'allow',
    'allowedHosts',
    'tokenIn',
    'tokenClaims',
    'loginResponse',
    'loginHeaders',
    'meResponse',
    'loginRefusal',
    'signUpRefusal',
    'loginFields',
    'tokenRefusal',
    'schemaRefusal',
    'ids',
  ],
} as const

type Known = (typeof OPTIONS)[keyof typeof OPTIONS][number]

/** What each option must be. */
const KINDS = new Map<string, string>(
  Object.entries(OPTIONS).flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
)

/**
 * What is left of some options, where all of it has these names: with `satisfies`, one that nobody has taken and that is
 * none of them does not compile.
 */
export type Only<Options, Left> = Record<Exclude<keyof Left, keyof Options>, never>

/** Resolves to `unknown` when the table has each option, and to `never`, so that nothing compiles, if not. */
type Complete<Options> = Exclude<keyof Options, Known> extends never ? unknown : never

/**
 * Says what is wrong with an option that JavaScript lets through: otherwise it would be left out without a
 * word, or fail somewhere inside.
 *
 * @typeParam Options all options: those of the table, to the last one
 * @throws TypeError for the first option that does not exist, or is of the wrong kind
 */
export function requireKinds<Options extends Record<Known, unknown>>(
  options: Partial<Options> & Complete<Options>,
): void {
  for (const [name, value] of Object.entries(options)) {
    const kind = KINDS.get(name)
    if (kind === undefined) throw new TypeError(unknownOption(name))
    if (value === undefined || kind === LOOKED_AT_ELSEWHERE || kind.split(' or ').includes(kindOf(value)))
      continue
    // A login has a password, so the error shows nothing that is in an object.
    throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${kind}.`)
  }
}

function unknownOption(name: string): string {
  const nearest = nearestName(name, [...KINDS.keys()])
  return `There is no option "${name}"${nearest === undefined ? '.' : `: did you mean "${nearest}"?`}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  if (typeof value === 'function') return types.isAsyncFunction(value) ? 'an async function' : FUNCTION
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
