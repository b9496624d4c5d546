import { inspect, types } from 'node:util'
import { isRecord } from './is-record'
import { nearestName } from './nearest-name'

/** What an option can be, in the words of an error. */
type Kind =
  | 'true'
  | 'false'
  | 'a string'
  | 'a number'
  | 'a number of milliseconds, from 0 to 999999999'
  | 'an array'
  | 'an object'
  // An async one gives a promise, in which nobody would look for the value: rules would be left out without a word.
  | 'a function that returns at once'
  | 'an async function'

/** Milliseconds: Node's timers take little more, and fire at once for what is longer. */
const LONGEST_TIME = 999_999_999

/** Of which kinds each option can be. One that is left out does not compile. */
export type KindsOf<Options> = { readonly [Name in keyof Options]-?: readonly Kind[] }

/** What other code looks at, with sentences of its own, has no kinds. */
export const LOOKED_AT_ELSEWHERE: readonly Kind[] = []

/**
 * What is left of some options, where all of it has these names: with `satisfies`, one that nobody has taken and that is
 * none of them does not compile.
 */
export type Only<Options, Left> = Record<Exclude<keyof Left, keyof Options>, never>

/**
 * Says what is wrong with an option that JavaScript lets through: otherwise it would be left out without a
 * word, or fail somewhere inside.
 *
 * @throws TypeError for the first option that does not exist, or is of the wrong kind
 */
export function requireKinds<Options extends object>(options: Options, kinds: KindsOf<Options>): void {
  const known = new Map(Object.entries<readonly Kind[]>(kinds))
  // JavaScript lets through what is no object, too.
  if (!isRecord(options))
    throw new TypeError(
      `The options must be an object with ${[...known.keys()][0]} and others, not ${inspect(options, { depth: -1 })}.`,
    )
  for (const [name, value] of Object.entries(options)) {
    const wanted = known.get(name)
    if (wanted === undefined) throw new TypeError(unknownOption(name, [...known.keys()]))
    if (value === undefined || wanted === LOOKED_AT_ELSEWHERE) continue
    if (wanted.some((kind) => isOfKind(value, kind))) continue
    // A login has a password, so the error shows nothing that is in an object.
    throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${wanted.join(' or ')}.`)
  }
}

function unknownOption(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return `There is no option "${name}"${nearest === undefined ? '.' : `: did you mean "${nearest}"?`}`
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'a number of milliseconds, from 0 to 999999999')
    return typeof value === 'number' && value >= 0 && value <= LONGEST_TIME
  return nameOfKind(value) === kind
}

function nameOfKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  if (typeof value === 'function')
    return types.isAsyncFunction(value) ? 'an async function' : 'a function that returns at once'
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
