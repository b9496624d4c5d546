/**
 * The name that was probably meant: one that differs by a third of its letters at most.
 *
 * @param wrong a name that is not known
 * @param known all that are
 */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of known) {
    const limit = Math.max(wrong.length, name.length) / 3
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase(), limit)
    if (distance < least) {
      nearest = name
      least = distance
    }
  }
  return nearest
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbour; infinite beyond the limit. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return Number.POSITIVE_INFINITY
  if (from === '' || to === '') return from.length + to.length
  const [first, second] = from
  if (first === to[0]) return editDistance(from.slice(1), to.slice(1), limit)
  const rest = (fromStart: number, toStart: number) =>
    editDistance(from.slice(fromStart), to.slice(toStart), limit - 1)
  const isSwapped = first === to[1] && second === to[0]
  return 1 + Math.min(rest(1, 0), rest(0, 1), rest(1, 1), ...(isSwapped ? [rest(2, 2)] : []))
}
