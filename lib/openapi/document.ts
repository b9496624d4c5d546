import type { RewriteRules } from '../http/rewrite-rules'
import { type DocumentContext, type DocumentSettings, TAGS } from './context'
import { introduction } from './introduction'
import { UniqueNames } from './names'
import { LOGIN_SCHEMAS, loginPaths } from './paths/login-paths'
import { publicPaths } from './paths/public-paths'
import { resourcePaths } from './paths/resource-paths'
import { rewrittenPaths } from './paths/rewritten-paths'
import { SANDBOX_SCHEMAS, sandboxPaths, withSandboxHeader } from './paths/sandbox-paths'
import { databaseSchema, serverPaths } from './paths/server-paths'
import { LOOKUP_SCHEMAS, userLookupPaths } from './paths/user-lookup-paths'
import { recordSchemas } from './resources/record-schemas'
import type { Resource } from './resources/resource-model'
import { ERROR_SCHEMA } from './responses'
import { onlyUsed, shareParts } from './share-parts'
import type { OpenApiDocument, PathEntry, PathItem, Schema } from './types'

const FIXED_SCHEMAS = { Error: ERROR_SCHEMA, ...LOGIN_SCHEMAS, ...LOOKUP_SCHEMAS, ...SANDBOX_SCHEMAS }

/** The names that schemas and tags of the data must not have. */
export const RESERVED = {
  reservedSchemas: [...Object.keys(FIXED_SCHEMAS), 'Database'],
  reservedTags: Object.values(TAGS),
}

/** The OpenAPI 3.1 document of a server with these resources and rewrite rules. */
export function makeDocument(
  resources: readonly Resource[],
  rules: RewriteRules,
  settings: DocumentSettings,
): OpenApiDocument {
  const context: DocumentContext = { ...settings, resources, rules, operationIds: new UniqueNames() }
  const rewritten = rewrittenPaths(
    [
      ...loginPaths(context),
      ...publicPaths(context),
      ...serverPaths(context),
      ...resources.flatMap((resource) => resourcePaths(resource, context)),
    ],
    context,
  )
  // In the order of the steps in server.ts: the first entry for a path wins.
  const all = mergePaths([...sandboxPaths(context), ...userLookupPaths(context), ...rewritten.paths])
  const merged = settings.sandboxes ? withSandboxHeader(all) : all
  const { paths, components } = shareParts(merged)
  const schemas: Record<string, Schema> = { ...FIXED_SCHEMAS, Database: databaseSchema(context) }
  for (const resource of resources) Object.assign(schemas, recordSchemas(resource, context))
  return {
    openapi: '3.1.0',
    info: introduction(context, rewritten.unlisted),
    servers: rewritten.servers,
    tags: tags(context, merged),
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `access_token` that `POST /auth/login` gives.',
        },
      },
      ...components,
      schemas: onlyUsed([paths, components], schemas),
    },
  }
}

/** Merges the entries for the same path; other names of placeholders do not make it another path. */
function mergePaths(entries: readonly PathEntry[]): Record<string, PathItem> {
  const paths = new Map<string, PathEntry>()
  for (const [template, item] of entries) {
    const key = template.replace(/\{[^{}]*\}/g, '{}')
    const [spelling, known] = paths.get(key) ?? [template, {}]
    // The parameters have other names: the document cannot have both.
    if (spelling !== template) continue
    paths.set(key, [spelling, { ...withoutOwnPages(spelling, item), ...known }])
  }
  return Object.fromEntries([...paths.values()].filter(([, item]) => Object.keys(item).length > 0))
}

/** GET of these two paths gets the page and this document, even where the data has resources of these names. */
function withoutOwnPages(path: string, { get, ...others }: PathItem): PathItem {
  return get === undefined || path === '/docs' || path === '/openapi.json' ? others : { get, ...others }
}

function tags(
  { resources }: DocumentContext,
  paths: Readonly<Record<string, PathItem>>,
): OpenApiDocument['tags'] {
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)),
  )
  return [
    { name: TAGS.login, description: 'Gives the token for all other requests.' },
    ...resources.map(({ tag, name, kind }) => ({
      name: tag,
      description:
        kind === 'collection' ? `The collection \`${name}\`.` : `The singular resource \`${name}\`.`,
    })),
    { name: TAGS.lookup, description: 'A separate service with a fixed list.' },
    { name: TAGS.sandboxes, description: 'Separate data for each test or visitor.' },
    { name: TAGS.server, description: 'The whole data, and the rewrite rules.' },
  ].filter(({ name }) => used.has(name))
}
