/**
 * The name that was probably meant: one that shares all but a third of its letters, in whatever order.
 *
 * @param wrong an unknown name
 * @param known all known names
 */
export function nearestName(wrong: string, known: readonly string[]): string | undefined {
  const distance = (name: string) => Math.max(lettersBeyond(wrong, name), lettersBeyond(name, wrong))
  const [nearest] = known
    .filter((name) => distance(name) <= Math.max(wrong.length, name.length) / 3)
    .sort((one, other) => distance(one) - distance(other))
  return nearest
}

/** How many letters of a name are left when those of another are taken away. */
function lettersBeyond(other: string, name: string): number {
  const left = (rest: string, letter: string) => rest.replace(letter, '')
  return [...other.toLowerCase()].reduce(left, name.toLowerCase()).length
}
