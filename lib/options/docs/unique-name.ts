/**
 * Takes a name that nobody has: the wanted one, or that with a number at its end. Upper and lower case are the
 * same, because generated clients name files after schemas and operations.
 *
 * @param taken all names that somebody has, in lower case
 */
export function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted}${number}`
  taken.add(name.toLowerCase())
  return name
}
