import { ALL } from '../../auth/allow-rules'
import { packageVersion } from '../../files/package'
import type { RewriteRules } from '../../http/rewrite-rules'
import { allPaths } from './all-paths'
import { usedComponents } from './components'
import { type DocumentContext, type DocumentSettings, MOST_RESOURCES, type Resource } from './context'
import { introduction } from './introduction'
import server from './templates/server.json'
import { NEEDS_TOKEN } from './types'

/** The OpenAPI 3.1 document of a server with these resources and rewrite rules. */
export function makeDocument(
  resources: readonly Resource[],
  rules: RewriteRules,
  settings: DocumentSettings,
) {
  const listed = resources.filter(({ isListed }) => isListed).slice(0, MOST_RESOURCES)
  const nestedCount = resources.reduce((sum, { children }) => sum + children.length, 0)
  const context: DocumentContext = { ...settings, resources, listed, rules, nestedCount }
  const { paths, servers, otherRules } = allPaths(context)
  return {
    openapi: server.openapi,
    info: {
      ...server.info,
      title: context.title,
      version: packageVersion(),
      description: introduction(context, otherRules),
    },
    servers,
    security: context.allowed === ALL ? [] : NEEDS_TOKEN,
    tags: [
      server.tags.login,
      ...listed.map(({ tag }) => ({ name: tag })),
      server.tags.lookup,
      ...settings.additions.flatMap(({ tag = [] }) => tag),
      server.tags.server,
    ],
    paths,
    components: usedComponents(paths, context),
  }
}
