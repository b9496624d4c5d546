/**
 * Makes names unique. Upper and lower case are the same: generated clients name files after them.
 *
 * @returns a function that gives the name, or the name with the first number that makes it a new one
 */
export function uniqueNames(reserved: readonly string[] = []): (wanted: string) => string {
  const taken = new Set(reserved.map((name) => name.toLowerCase()))
  return (wanted) => {
    let name = wanted
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted}${number}`
    taken.add(name.toLowerCase())
    return name
  }
}

/**
 * A name as generated clients can use it: letters and digits, each word with a capital: `read-me` is
 * `ReadMe`.
 */
export function pascalCase(name: string): string {
  const joined = name
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Resource${joined}`
}

/** The programs that read a document would take a field of this name for a reference. */
export const REFERENCE = '$ref'
