import { LOGIN_PATH } from '../../auth/access-policy'
import { ALL, type Allowed } from '../../auth/allow-rules'
import { packageVersion } from '../../files/package'
import {
  ANY_OBJECT,
  type DescribeService,
  type DocumentContext,
  jsonResponse,
  type Part,
  type PathItem,
  type Paths,
  type Responses,
  sharedResponses,
} from '../../http/operations'
import type { RewriteRules } from '../../http/rewrite-rules'
import type { DocsAddition } from '../docs-addition'
import { NEEDS_TOKEN, withSecurity } from './operation-security'
import { PAGE_PATH } from './own-paths'
import { resourcePaths } from './resource-paths'
import { type DescribedData, inputName, type Resource } from './resources'
import { references, SHARED_HEADERS, SHARED_PARAMETERS, SHARED_RESPONSES } from './shared-parts'

/** What the document depends on beside the data and the rules. */
export interface DocumentOptions extends Omit<DocumentContext, 'collection'> {
  /** The title of the document and its page. */
  readonly title: string
  readonly readOnly: boolean
  /** What needs no token beside the services that are open. */
  readonly allowed: Allowed
  /** Gives what describes the services, whose operations take the place of those of resources with the same paths. */
  readonly services: () => readonly DescribeService[]
  /** What other options add. */
  readonly additions: readonly DocsAddition[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** json-server's page with everything. */
const WHOLE_DATA: Paths = {
  '/db': {
    get: {
      operationId: 'dumpDatabase',
      tags: ['Server'],
      summary: 'Get the whole data',
      responses: { 200: jsonResponse('All resources by name.', ANY_OBJECT, {}), ...sharedResponses(304) },
    },
  },
}

/** The OpenAPI 3.1 document of a server with this data and these rewrite rules. */
export function makeDocument(
  { listed, unlisted }: DescribedData,
  rules: RewriteRules,
  options: DocumentOptions,
) {
  const { additions, allowed, title } = options
  const parameters = merged(additions.map((addition) => addition.parameters))
  const responses = merged(additions.map((addition) => addition.responses))
  const added = {
    parameters: Object.values(references('parameters', parameters)),
    responses: references('responses', responses),
  }
  const paths = Object.entries(describedPaths(listed, options)).map(
    ([path, item]) => [path, completed(path, item, added, allowed)] as const,
  )
  const tags = paths.flatMap(([, item]) => METHODS.flatMap((method) => item[method]?.tags ?? []))
  const ordered = new Set(['Login', ...listed.map(({ name }) => name), ...tags])
  const schemas = listed.flatMap(({ schemaName, schema, input }) => [
    [schemaName, schema],
    [inputName(schemaName), input],
  ])
  return {
    openapi: '3.1.0',
    info: { title, version: packageVersion(), description: introduction(rules, unlisted) },
    servers: [{ url: '/' }],
    security: allowed === ALL ? [] : NEEDS_TOKEN,
    tags: [...ordered].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(schemas),
      parameters: merged([SHARED_PARAMETERS, parameters]),
      responses: merged([SHARED_RESPONSES, responses]),
      headers: SHARED_HEADERS,
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `access_token` of a login. The page `/docs` fills it in.',
        },
      },
    },
  }
}

/** Every path behind the rewrite rules. The first operation of a path wins, as the steps of the server do. */
function describedPaths(listed: readonly Resource[], options: DocumentOptions): Paths {
  const { additions, readOnly, services } = options
  const collection = (wanted: string) =>
    listed.filter((one) => one.isCollection).find(({ name }) => name === wanted)
  const all: Record<string, PathItem> = {}
  for (const paths of [
    ...additions.map((addition) => addition.paths),
    ...services().map((describe) => describe({ ...options, collection })),
    WHOLE_DATA,
    ...listed.map((one) => resourcePaths(one, listed)).map((paths) => (readOnly ? readsOf(paths) : paths)),
  ])
    for (const [path, item] of Object.entries(paths)) all[path] = { ...item, ...all[path] }
  return all
}

/** The same paths without changes. */
function readsOf(paths: Paths): Paths {
  return Object.fromEntries(Object.entries(paths).map(([path, { get }]) => [path, { get }]))
}

/** Adds what every operation has: whether it needs a token, and what other options add. */
function completed(
  path: string,
  item: PathItem,
  added: { readonly parameters: readonly Part[]; readonly responses: Responses },
  allowed: Allowed,
): PathItem {
  const operations = METHODS.flatMap((method) => {
    const operation = item[method]
    if (operation === undefined) return []
    const own = withSecurity(operation, method.toUpperCase(), path, allowed)
    const responses = { ...added.responses, ...own.responses }
    return [[method, { ...own, responses }]]
  })
  return { parameters: added.parameters, ...Object.fromEntries(operations) }
}

/** How to log in and how the document was made, in a sentence each; and what it does not show. */
function introduction(rules: RewriteRules, unlisted: readonly string[]): string {
  const ways = Object.entries(rules).map(([from, to]) => `\`${from}\` leads to \`${to}\``)
  const names = unlisted.map((name) => `\`${name}\``)
  return [
    `**Log in** at the top of \`${PAGE_PATH}\`, or send the \`access_token\` from \`POST ${LOGIN_PATH}\` ` +
      'as `Authorization: Bearer <access_token>`: every request with a lock needs it.',
    'This was made from a sample of the data as it was loaded: records can have other fields than those ' +
      'shown, and the server itself requires none of them.',
    ways.length > 0 && `Rewrite rules lead to these paths from others: ${ways.join(', ')}.`,
    names.length > 0 && `Not listed, because of their names: ${names.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join('\n\n')
}

/** All of these parts by their names; of those with the same name, the last. */
function merged(parts: readonly (Readonly<Record<string, Part>> | undefined)[]): Record<string, Part> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})))
}
