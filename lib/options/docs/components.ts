import type { DocumentContext } from './context'
import { resourceComponents } from './resources/resource-components'
import server from './templates/server.json'
import { template } from './templates/template'
import type { Components } from './types'

const fillComponents = template(server.components)
const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g

/** The components that the paths refer to, directly or by another one. */
export function usedComponents(paths: unknown, context: DocumentContext): Components {
  const all = allComponents(context)
  const used: Record<string, Record<string, unknown>> = { securitySchemes: all.securitySchemes ?? {} }
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      used[kind] ??= {}
      if (name in used[kind]) continue
      const component = all[kind]?.[name]
      used[kind][name] = component
      visit(component)
    }
  }
  visit(paths)
  return used
}

function allComponents({ idProperty, additions, resources }: DocumentContext): Components {
  const all: Record<string, Record<string, unknown>> = fillComponents({
    filter: JSON.stringify({ [idProperty]: 1 }),
    pattern: JSON.stringify({ [`${idProperty}_like`]: '^1' }),
    query: encodeURIComponent(idProperty),
  })
  const added = [
    ...additions.map(({ components }) => components),
    ...resources.map((resource) => resourceComponents(resource, idProperty)),
  ]
  for (const components of added)
    for (const [kind, parts] of Object.entries(components)) all[kind] = Object.assign(all[kind] ?? {}, parts)
  return all
}
