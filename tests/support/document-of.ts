import type { Data } from '../../lib/data/data-source'
import type { RewriteRules } from '../../lib/http/rewrite-rules'
import type { DocumentSettings } from '../../lib/openapi/context'
import { makeDocument, RESERVED } from '../../lib/openapi/document'
import { describeResources } from '../../lib/openapi/resources/resource-model'
import type { Method, OpenApiDocument, Parameter } from '../../lib/openapi/types'

const SETTINGS: DocumentSettings = {
  publicCollection: 'blogs',
  live: false,
  readOnly: false,
  sandboxes: false,
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  tokenLifetime: 3600,
  lookupUser: undefined,
  savesToFile: true,
  sampleLogin: undefined,
}

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(
  data: Data,
  rules: RewriteRules = {},
  settings: Partial<DocumentSettings> = {},
): OpenApiDocument {
  const all = { ...SETTINGS, ...settings }
  const resources = describeResources(data, { ...all, ...RESERVED })
  return JSON.parse(JSON.stringify(makeDocument(resources, rules, all)))
}

/** The parameters of an operation, from the components that it refers to. */
export function parametersOf(
  { paths, components }: OpenApiDocument,
  path: string,
  method: Method = 'get',
): Parameter[] | undefined {
  return paths[path]?.[method]?.parameters?.flatMap(
    ({ $ref }) => components.parameters[$ref.slice($ref.lastIndexOf('/') + 1)] ?? [],
  )
}
