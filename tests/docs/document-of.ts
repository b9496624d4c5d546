import type { Data } from '../../adapter/data-source'
import { makeDocument, RESERVED } from '../../docs/document'
import type { DocumentSettings } from '../../docs/document-context'
import type { OpenApiDocument } from '../../docs/openapi'
import { describeResources } from '../../docs/resource-model'
import type { RewriteRules } from '../../middlewares/rewriter'

const SETTINGS: DocumentSettings = {
  publicCollection: 'blogs',
  live: false,
  readOnly: false,
  idProperty: 'id',
  foreignKeySuffix: 'Id',
  tokenLifetime: 3600,
  lookupUser: undefined,
}

/** The document of a server with this data, as JSON gives it back. */
export function documentOf(
  data: Data,
  rules: RewriteRules = {},
  settings: Partial<DocumentSettings> = {},
): OpenApiDocument {
  const all = { ...SETTINGS, ...settings }
  const resources = describeResources(data, { idProperty: all.idProperty, ...RESERVED })
  return JSON.parse(JSON.stringify(makeDocument(resources, rules, all)))
}
