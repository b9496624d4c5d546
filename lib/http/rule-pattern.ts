import { type Parameter, readPattern } from './rule-tokens'

/** A place in a pattern. */
interface Place {
  /** The ways on from here: the last is the one that the library tries first. */
  readonly ways: Way[]
}

interface Way {
  /**
   * Takes a part of a URL, which is in lower case, from a position on.
   *
   * @returns the position behind the part; {@link NOWHERE} if it is not there
   */
  readonly take: (url: string, position: number) => number
  readonly to: Place
}

/** A comparison that has come to a place in the pattern and to a position in the URL. */
interface Step {
  readonly place: Place
  readonly position: number
  readonly before: Step | undefined
}

/** What is taken is not there. */
const NOWHERE = -1

/**
 * The pattern of a rewrite rule, such as `/v1:rest*` or `/*\/x/*`, which is compared in a time in proportion
 * to the URL, whatever is sent. It finds what the regular expression finds that express-urlrewrite
 * (path-to-regexp 1.9) makes of a pattern: for `/v1:rest*` and a path of 66 bytes that one needs minutes,
 * because it tries every way to divide the path among the parameters.
 *
 * Here, the same ways are tried in the same order, but each only once from the same place and position, as in
 * RE2 (re2/bitstate.cc): it would fail there again. That takes up to 5 ms for each parameter and 16 kB.
 */
export class RulePattern {
  /** The names of the parameters, in their order. A wildcard has a number in the place of a name, from 0. */
  readonly names: readonly string[]
  readonly #end: Place = { ways: [] }
  readonly #start: Place
  /** For each parameter, the place where its value begins, and the place behind it. */
  readonly #values: { begin: Place; end: Place }[] = []

  /** @throws TypeError when the pattern holds a group, in which there could be any regular expression */
  constructor(pattern: string) {
    const tokens = readPattern(pattern)
    this.names = tokens.flatMap((token) => (typeof token === 'string' ? [] : token.name))
    // Behind the last token, nothing may follow but a slash.
    let next: Place = { ways: [nothing(this.#end), text('/', this.#end)] }
    for (const token of tokens.reverse()) {
      if (typeof token === 'string') next = { ways: [text(token, next)] }
      else {
        const begin = token.isWildcard ? wildcard(next) : value(token, next)
        this.#values.unshift({ begin, end: next })
        next = token.isOptional ? { ways: [nothing(next), text(token.prefix, begin)] } : begin
      }
    }
    this.#start = next
  }

  /**
   * Compares the pattern with a URL.
   *
   * @returns the values of the parameters, undefined for each that the URL leaves out; undefined when the URL
   *   does not match
   */
  match(url: string): (string | undefined)[] | undefined {
    const lowerCase = url.toLowerCase()
    const seen = new Map<Place, Uint8Array>()
    const steps: Step[] = [{ place: this.#start, position: 0, before: undefined }]
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { place, position } = step
      if (place === this.#end && position === url.length) return this.#valuesIn(url, step)
      const positions = seen.get(place) ?? new Uint8Array(url.length + 1)
      if (positions[position]) continue
      positions[position] = 1
      seen.set(place, positions)
      for (const { take, to } of place.ways) {
        const end = take(lowerCase, position)
        if (end !== NOWHERE) steps.push({ place: to, position: end, before: step })
      }
    }
    return undefined
  }

  #valuesIn(url: string, last: Step): (string | undefined)[] {
    const positions = new Map<Place, number>()
    // The first time that a place was reached is set last.
    for (let step: Step | undefined = last; step !== undefined; step = step.before)
      positions.set(step.place, step.position)
    return this.#values.map(({ begin, end }) =>
      positions.has(begin) ? url.slice(positions.get(begin), positions.get(end)) : undefined,
    )
  }
}

/** A way that takes nothing. */
function nothing(to: Place): Way {
  return { take: (_url, position) => position, to }
}

/** A way that takes this text, in upper or lower case. */
function text(written: string, to: Place): Way {
  const lowerCase = written.toLowerCase()
  return {
    take: (url, position) => (url.startsWith(lowerCase, position) ? position + lowerCase.length : NOWHERE),
    to,
  }
}

/** The place of a wildcard, which takes as many characters as possible, whatever they are. */
function wildcard(next: Place): Place {
  const place: Place = { ways: [] }
  const take: Way['take'] = (url, position) => (position < url.length ? position + 1 : NOWHERE)
  place.ways.push(nothing(next), { take, to: place })
  return place
}

/** The place of a parameter, which takes one value, as short as possible, or as many values as possible. */
function value({ between, delimiter, separator }: Parameter, next: Place): Place {
  const place: Place = { ways: [] }
  const behind = between === undefined ? next : { ways: [nothing(next), text(between, place)] }
  const separatorWay = text(separator, behind)
  const take: Way['take'] = (url, position) =>
    position === url.length ||
    url[position] === delimiter ||
    (separator !== '' && separatorWay.take(url, position) !== NOWHERE)
      ? NOWHERE
      : position + 1
  const further: Place = { ways: [] }
  further.ways.push({ take, to: further }, nothing(behind))
  place.ways.push({ take, to: further })
  if (separator !== '') place.ways.push(separatorWay)
  return place
}
