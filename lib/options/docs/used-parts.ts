/** A reference to a shared part, in JSON. */
const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g

/** Leaves out the shared parts to which neither the paths nor another part that they name refer. */
export function usedParts<Parts extends Record<string, Readonly<Record<string, unknown>>>>(
  paths: object,
  parts: Parts,
): Parts {
  const used = new Set<string>()
  const findIn = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      const named = parts[kind]?.[name]
      if (named === undefined || used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      findIn(named)
    }
  }
  findIn(paths)
  const kept = { ...parts }
  for (const [kind, named] of Object.entries(parts))
    Object.assign(kept, {
      [kind]: Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))),
    })
  return kept
}
