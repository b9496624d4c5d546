/** Whether a value, or anything in it, has a field named `toString`. */
export function holdsToString(value: unknown): boolean {
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Object.hasOwn(next, 'toString')) return true
    for (const item of Object.values(next)) if (typeof item === 'object' && item !== null) open.push(item)
  }
  return false
}
