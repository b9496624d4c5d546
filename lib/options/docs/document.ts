import { ALL } from '../../auth/allow-rules'
import { packageVersion } from '../../files/package-version'
import type { RewriteRules } from '../../http/rewrite-rules'
import { allPaths } from './all-paths'
import { usedComponents } from './components'
import type { DocumentContext, DocumentSettings } from './context'
import { introduction } from './introduction'
import type { Resource } from './resources/resource-model'
import server from './templates/server.json'
import { METHODS, NEEDS_TOKEN, type OpenApiDocument } from './types'

/** The OpenAPI 3.1 document of a server with these resources and rewrite rules. */
export function makeDocument(
  resources: readonly Resource[],
  rules: RewriteRules,
  settings: DocumentSettings,
): OpenApiDocument {
  const nestedCount = resources.reduce((sum, { children }) => sum + children.length, 0)
  const context: DocumentContext = { ...settings, resources, rules, nestedCount }
  const { paths, servers, others } = allPaths(context)
  const operations = Object.values(paths).flatMap((item) => METHODS.map((method) => item[method]))
  const used = new Set(operations.flatMap((operation) => operation?.tags ?? []))
  const [login, lookup, pages] = server.tags
  const tags = [
    login,
    ...resources.map(({ tag }) => ({ name: tag })),
    lookup,
    ...settings.additions.map(({ tag }) => tag),
    pages,
  ]
  return {
    openapi: server.openapi,
    info: { ...server.info, version: packageVersion(), description: introduction(context, others) },
    servers,
    security: context.allowed === ALL ? [] : NEEDS_TOKEN,
    tags: tags.flatMap((tag) => (tag && used.has(tag.name) ? [tag] : [])),
    paths,
    components: usedComponents(paths, context),
  }
}
