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
  const resource = context.resources.find(({ isPublic }) => isPublic)
  if (resource?.segment === undefined) return []
  const { plural, singular, title } = publicNames(resource.name)
  const shown = context.live ? 'are now' : 'were loaded: later changes do not show'
  const record = {
    parameters: [idParameter(resource, context)],
    operations: fillRecord({ ...resource, singular, title }),
  }
  return [
    { path: `/${plural}`, operations: fillList({ ...resource, shown }) },
    { path: `/${plural}/{id}`, ...record },
    { path: `/${singular}/{id}`, ...record },
  ]
}
