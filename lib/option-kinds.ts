import { inspect, types } from 'node:util'
import { isRecord } from './is-record'
import { nearestName } from './nearest-name'

/** What an option can be, in the words of an error. */
type Kind = 'true' | 'false' | 'a string' | 'a number' | 'an array' | 'an object' | typeof FUNCTION

/** An async one gives a promise, in which nobody would look for the value: rules would be left out without a word. */
const FUNCTION = 'a function that returns at once'

/** What other code looks at, with sentences of its own, has no kinds. */
const LOOKED_AT_ELSEWHERE: readonly Kind[] = []

/** The options of `createApp`, by what each of them must be. */
const OPTIONS = [
  {
    kinds: ['true', 'false'],
    names: [
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
  },
  {
    kinds: ['a string'],
    names: ['title', 'static', 'idProperty', 'foreignKeySuffix', 'loginUsers', 'refreshIn', 'issuer'],
  },
  { kinds: ['a number'], names: ['tokenLifetime', 'delay'] },
  { kinds: [FUNCTION], names: ['clock'] },
  {
    kinds: ['an array'],
    names: ['private', 'owned', 'logins', 'lookupUsers', 'privateFiles', 'middlewares', 'timeStamps'],
  },
  { kinds: ['a string', 'false'], names: ['publicCollection'] },
  { kinds: ['a string', 'an array'], names: ['login', 'signUp', 'me', 'refresh', 'logout'] },
  { kinds: ['an object', FUNCTION], names: ['routes', 'schemas'] },
  { kinds: ['an array', FUNCTION], names: ['faults'] },
  {
    kinds: LOOKED_AT_ELSEWHERE,
    names: [
      'data',
      'secret',
      'allow',
      'allowedHosts',
      'tokenIn',
      'tokenClaims',
      'loginResponse',
      'loginHeaders',
      'meResponse',
      'logoutResponse',
      'loginIf',
      'loginRefusal',
      'signUpRefusal',
      'loginFields',
      'tokenRefusal',
      'schemaRefusal',
      'ids',
    ],
  },
] as const satisfies readonly { kinds: readonly Kind[]; names: readonly string[] }[]

type Known = (typeof OPTIONS)[number]['names'][number]

/** What each option must be. */
const KINDS = new Map<string, readonly Kind[]>(
  OPTIONS.flatMap(({ kinds, names }) => names.map((name) => [name, kinds] as const)),
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
    const kinds = KINDS.get(name)
    if (kinds === undefined) throw new TypeError(unknownOption(name))
    if (
      value === undefined ||
      kinds === LOOKED_AT_ELSEWHERE ||
      kinds.some((kind) => kind === nameOfKind(value))
    )
      continue
    // A login has a password, so the error shows nothing that is in an object.
    throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${kinds.join(' or ')}.`)
  }
}

function unknownOption(name: string): string {
  const nearest = nearestName(name, [...KINDS.keys()])
  return `There is no option "${name}"${nearest === undefined ? '.' : `: did you mean "${nearest}"?`}`
}

function nameOfKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  if (typeof value === 'function') return types.isAsyncFunction(value) ? 'an async function' : FUNCTION
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
