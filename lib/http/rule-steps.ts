import { type Place, readPlaces } from './expression-places'

/** In how many ways a comparison can have come to a place and to a character of the text. */
interface Ways {
  /** Those to one and the same character. */
  readonly toOne: number
  /** Those to any character, if the comparison can go on from there. */
  readonly toAny: number
}

/**
 * The most steps in which a regular expression is compared with a text: an upper bound. An engine tries one
 * way after the other to divide the text among the places of the expression.
 *
 * After `(.*)`, for instance, it can go on at any character. A second `(.*)` then has as many beginnings, so that
 * as many ways lead to each character in it. But what takes no character that can stand before it, such as
 * a segment after a slash, can have begun at one character only, and what takes none that can follow it can
 * end at one only.
 *
 * @param expression with the flag `i` alone, that matches a text from its beginning on
 * @param length of the text, in characters
 * @returns infinity where a repetition can take the same text in two ways: each character could then double
 *   the steps
 * @throws SyntaxError for an expression that {@link readPlaces} does not read
 */
export function mostSteps(expression: RegExp, length: number): number {
  const places = readPlaces(expression.source)
  const waysTo = new Map<Place, Ways>()
  for (const loop of new Set(places.map((place) => place.loop))) {
    const isInside = (place: Place) => place.loop === loop
    const isOutside = (place: Place) => place.loop !== loop
    const inside = places.filter(isInside)
    const before = inside.flatMap((place) => place.before.filter(isOutside))
    const after = inside.flatMap((place) => place.next.filter(isOutside))
    const sum = (kind: keyof Ways) =>
      before.reduce((ways, place) => ways + (waysTo.get(place)?.[kind] ?? 0), 0)
    let toOne = before.length === 0 ? 1 : sum('toOne')
    let toAny = before.length === 0 ? 1 : sum('toAny')
    if (inside.some((place) => place.next.some(isInside))) {
      if (inside.some((place) => hasChoice(place.next.filter(isInside)))) return Number.POSITIVE_INFINITY
      if (canShare(inside, before)) toOne = toAny
      if (canShare(inside, after)) toAny = toOne * length
    }
    for (const place of inside) waysTo.set(place, { toOne, toAny })
  }
  // Each character of the text leads on from the places that take it.
  const steps = new Map<string, number>()
  for (const place of places) {
    const more = (waysTo.get(place)?.toOne ?? 0) * place.next.length
    for (const character of place.takes) steps.set(character, (steps.get(character) ?? 0) + more)
  }
  return length * Math.max(0, ...steps.values())
}

/** Whether there is a character that a place of each list takes. */
function canShare(some: readonly Place[], others: readonly Place[]): boolean {
  return some.some(({ takes }) =>
    others.some((other) => [...takes].some((character) => other.takes.has(character))),
  )
}

/** Whether there is a character that two of these places take. */
function hasChoice(places: readonly Place[]): boolean {
  return places.some((place, index) => canShare([place], places.slice(index + 1)))
}
