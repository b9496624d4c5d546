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
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase())
    if (distance < least && distance <= Math.max(wrong.length, name.length) / 3) {
      nearest = name
      least = distance
    }
  }
  return nearest
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbour (optimal string alignment). */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          replaced,
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
