/**
 * Makes names unique. Upper and lower case are the same: generated clients name files after them.
 *
 * @returns a function that gives the name, or the name with the first number that makes it a new one
 */
export function uniqueNames(reserved: readonly string[] = []): (wanted: string) => string {
  // Each name has the number from which on there may be a new one: many equal names take no longer each.
  const taken = new Map(reserved.map((name) => [name.toLowerCase(), 2]))
  return (wanted) => {
    let name = wanted
    let number = taken.get(wanted.toLowerCase()) ?? 2
    for (; taken.has(name.toLowerCase()); number += 1) name = `${wanted}${number}`
    taken.set(name.toLowerCase(), 2).set(wanted.toLowerCase(), number)
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

/**
 * Names that mean something to the programs that read a document: they take the first for an object's
 * prototype and the second for a reference, and call the third.
 */
const MISREAD_NAMES = ['__proto__', '$ref', 'hasOwnProperty']

/** Whether a name of the data must not be in a document, because programs that read it would fail. */
export function isMisreadName(name: string): boolean {
  return MISREAD_NAMES.includes(name) || /\p{Surrogate}/u.test(name)
}
