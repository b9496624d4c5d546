import type { Components } from '../docs-addition'
import type { DocumentContext, Resource } from './context'
import resource from './templates/resource.json'
import server from './templates/server.json'
import { template } from './templates/template'
import { referTo } from './types'

const fillComponents = template<Components>(server.components)
const fillOfResource = template<Components>(resource.components)
const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g

/** The components that the paths refer to, directly or by another one. */
export function usedComponents(paths: unknown, context: DocumentContext): Components {
  const all = allComponents(context)
  const used: Record<string, Record<string, unknown>> = {}
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      used[kind] ??= {}
      if (name in used[kind]) continue
      const component = all[kind]?.[name]
      used[kind][name] = component
      visit(component)
    }
  }
  visit([referTo('securitySchemes', 'bearerAuth'), paths])
  return used
}

function allComponents({ idProperty, additions, resources }: DocumentContext): Components {
  const all: Record<string, Record<string, unknown>> = {}
  const added = [
    fillComponents({ idProperty }),
    ...additions.map(({ components = {} }) => components),
    ...resources.map((resource) => resourceComponents(resource, idProperty)),
  ]
  for (const components of added)
    for (const [kind, parts] of Object.entries(components)) all[kind] = Object.assign(all[kind] ?? {}, parts)
  return all
}

/** What the operations of a resource share: responses, a body, a record as it is sent and as it is read. */
function resourceComponents(resource: Resource, idProperty: string): Components {
  const { schemaName, inputName, fields, example, commonFields } = resource
  const { [idProperty]: _id, ...input } = example ?? {}
  const sent = { type: 'object', properties: fields, ...(example && { examples: [input] }) }
  const id = resource.isCollection && { [idProperty]: resource.id }
  const required = [...(id && resource.everyRecordHasId ? [idProperty] : []), ...commonFields]
  const read = {
    type: 'object',
    properties: { ...id, ...fields },
    ...(required.length > 0 && { required }),
    ...(example && { examples: [example] }),
  }
  return { ...fillOfResource(resource), schemas: { [schemaName]: read, [inputName]: sent } }
}
