import type { OpenApiDocument } from './types'

type Components = Pick<OpenApiDocument['components'], 'schemas' | 'responses' | 'headers'>

/** Leaves out the components that nothing refers to, directly or by another one. */
export function onlyUsed(paths: unknown, components: Components): Components {
  const used = new Set<string>()
  const open: unknown[] = [paths]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const reference of references(next)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [, , kind, name] = reference.split('/')
      if (kind === 'schemas' || kind === 'responses' || kind === 'headers')
        open.push(components[kind][name ?? ''])
    }
  }
  const pick = <Part>(kind: keyof Components, part: Readonly<Record<string, Part>>): Record<string, Part> =>
    Object.fromEntries(Object.entries(part).filter(([name]) => used.has(`#/components/${kind}/${name}`)))
  return {
    schemas: pick('schemas', components.schemas),
    responses: pick('responses', components.responses),
    headers: pick('headers', components.headers),
  }
}

/** All `$ref` in a value. */
function references(value: unknown): string[] {
  const found: string[] = []
  JSON.stringify(value, (key, item: unknown) => {
    if (key === '$ref' && typeof item === 'string' && item.startsWith('#/components/')) found.push(item)
    return item
  })
  return found
}
