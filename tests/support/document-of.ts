import type { Data } from '../../lib/data/valid-data'
import type { RewriteRules } from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import type { DocumentSettings } from '../../lib/openapi/context'
import { makeDocument } from '../../lib/openapi/document'
import { describeResources } from '../../lib/openapi/resources/describe-resources'
import type { OpenApiDocument, Parameter } from '../../lib/openapi/types'

const SETTINGS: DocumentSettings = {
  publicCollection: 'blogs',
  allowed: [],
  live: false,
  readOnly: false,
  sandboxes: undefined,
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
  const resources = describeResources(data, all)
  return JSON.parse(JSON.stringify(makeDocument(resources, rules, all)))
}

/** The parameters of the GET of a path, each once, from the components that it refers to. */
export function parametersOf({ paths, components }: OpenApiDocument, path: string): Parameter[] {
  const item = paths[path]
  const found = [item?.parameters, item?.get?.parameters]
    .flatMap((parameters) => parameters ?? [])
    .map((parameter) =>
      '$ref' in parameter ? components.parameters?.[parameter.$ref.replace(/.*\//, '')] : parameter,
    )
  return [...new Set(found)].filter(isParameter)
}

function isParameter(value: unknown): value is Parameter {
  return isRecord(value) && typeof value.name === 'string' && isRecord(value.schema)
}
