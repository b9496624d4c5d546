/**
 * The name that was probably meant: the nearest one, if a third of its letters at most must be changed, added, left
 * out or swapped.
 *
 * @param wrong an unknown name
 * @param known all known names
 */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const limit = (name: string) => Math.max(wrong.length, name.length) / 3
  const [nearest] = known
    // A stranger's path can be long: the distance is at least the difference in length.
    .filter((name) => Math.abs(wrong.length - name.length) <= limit(name))
    .map((name) => ({ name, distance: distance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= limit(name))
    .sort((one, other) => one.distance - other.distance)
  return nearest?.name
}

/** How many letters must be changed, added, left out or swapped with the next: the optimal string alignment. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        numberAt(above, column) + 1,
        numberAt(current, column - 1) + 1,
        numberAt(above, column - 1) + (isSame ? 0 : 1),
        isSwapped ? numberAt(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = current
  }
  return numberAt(above, to.length)
}

function numberAt(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Number.POSITIVE_INFINITY
}
