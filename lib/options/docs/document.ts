import { LOGIN_PATH } from '../../auth/access-policy'
import { ALL } from '../../auth/allow-rules'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { PathItem } from '../docs-addition'
import { allPaths } from './all-paths'
import { usedComponents } from './components'
import type { DocumentContext, DocumentSettings } from './context'
import { introduction } from './introduction'
import { TAGS } from './names'
import { PAGE_PATH } from './own-paths'
import type { Resource } from './resources/resource-model'
import { METHODS, NEEDS_TOKEN, type OpenApiDocument } from './types'

/** The OpenAPI 3.1 document of a server with these resources and rewrite rules. */
export function makeDocument(
  resources: readonly Resource[],
  rules: RewriteRules,
  settings: DocumentSettings,
): OpenApiDocument {
  const context: DocumentContext = { ...settings, resources, rules }
  const { entries, servers, others } = allPaths(context)
  const paths = Object.fromEntries(entries)
  return {
    openapi: '3.1.0',
    info: introduction(context, others),
    servers,
    security: context.allowed === ALL ? [] : NEEDS_TOKEN,
    tags: tags(context, Object.values(paths)),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            `The \`access_token\` that \`POST ${LOGIN_PATH}\` gives. ` +
            `The page \`${PAGE_PATH}\` fills it in after a login.`,
        },
      },
      ...usedComponents(paths, context),
    },
  }
}

function tags(
  { resources, additions }: DocumentContext,
  items: readonly PathItem[],
): OpenApiDocument['tags'] {
  const used = new Set(items.flatMap((item) => METHODS.flatMap((method) => item[method]?.tags ?? [])))
  return [
    { name: TAGS.login, description: 'Gives the token for all other requests.' },
    ...resources.map(({ tag }) => ({ name: tag })),
    { name: TAGS.lookup, description: 'A separate service with a fixed list.' },
    ...additions.map(({ tag }) => tag),
    { name: TAGS.server, description: 'The whole data, and the rewrite rules.' },
  ].filter(({ name }) => used.has(name))
}
