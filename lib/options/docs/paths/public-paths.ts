import { publicNames } from '../../../auth/access-policy'
import type { DocumentContext } from '../context'
import templates from '../templates/resource.json'
import { template } from '../templates/template'
import type { Path } from '../types'
import { idParameter } from './resource-paths'

const fillList = template(templates.publicList)
const fillRecord = template(templates.publicRecord)

/** The public reads (docs/interface.md, Public reads), which never reach the router. */
export function publicPaths(context: DocumentContext): Path[] {
  const { publicCollection, resources, live } = context
  const resource = resources.find(({ name, kind }) => name === publicCollection && kind === 'collection')
  if (resource?.segment === undefined) return []
  const { singular, title } = publicNames(resource.name)
  const shown = live ? 'are now' : 'were loaded: later changes do not show'
  const record = {
    parameters: [idParameter(resource, context)],
    operations: fillRecord({ ...resource, singular, title }),
  }
  return [
    { path: `/${resource.name}`, operations: fillList({ ...resource, shown }) },
    { path: `/${resource.name}/{id}`, ...record },
    { path: `/${singular}/{id}`, ...record },
  ]
}
