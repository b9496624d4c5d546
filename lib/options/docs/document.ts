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
  type Schema,
  shared,
} from '../../http/operations'
import { NO_RULES, type RewriteRules, RULES_PATH } from '../../http/rewrite-rules'
import type { DocsAddition } from '../docs-addition'
import { NEEDS_TOKEN, withSecurity } from './operation-security'
import { DOCUMENT_PATH, PAGE_PATH } from './own-paths'
import { resourcePaths } from './resource-paths'
import type { Resource } from './resources'
import { listParameters, SHARED_PARTS } from './shared-parts'
import { usedParts } from './used-parts'

/** What the document depends on beside the data and the rules. */
export interface DocumentOptions extends Omit<DocumentContext, 'resource'> {
  /** The title of the document and its page. */
  readonly title: string
  readonly idProperty: string
  readonly readOnly: boolean
  /** What needs no token beside the services that are open. */
  readonly allowed: Allowed
  /** Gives what describes the services, whose operations take the place of those of resources with the same paths. */
  readonly services: () => readonly DescribeService[]
  /** What other options add. */
  readonly additions: readonly DocsAddition[]
}

/**
 * How many resources a document lists: one of 1,000 has 5 MB. Making it takes 1 s of processor time, and
 * showing it 9 s.
 */
const MOST_RESOURCES = 1000

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const OWN_PATHS = [PAGE_PATH, DOCUMENT_PATH]

/** The OpenAPI 3.1 document of a server with these resources and rewrite rules. */
export function makeDocument(resources: readonly Resource[], rules: RewriteRules, options: DocumentOptions) {
  const { allowed, additions } = options
  const { securitySchemes, ...sharedParts } = SHARED_PARTS
  const listed = resources.filter(({ isListed }) => isListed).slice(0, MOST_RESOURCES)
  const paths = completePaths(allPaths(listed, rules, options), options)
  const tags = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method]?.tags ?? []))
  const ordered = new Set(['Login', ...listed.map(({ name }) => name), ...tags])
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      summary: 'A mock REST API with a login',
      version: packageVersion(),
      contact: { name: 'json-server-bearer' },
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(
        rules,
        resources.filter((resource) => !listed.includes(resource)),
      ),
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    security: allowed === ALL ? [] : NEEDS_TOKEN,
    tags: [...ordered].map((name) => ({ name })),
    paths,
    components: {
      // Operations name these by other means than a reference.
      securitySchemes,
      ...usedParts(paths, {
        ...sharedParts,
        schemas: merged<Schema>([
          SHARED_PARTS.schemas,
          ...listed.map(({ schemaName, schema }) => ({ [schemaName]: schema })),
          ...(options.readOnly ? [] : listed.map(({ inputName, input }) => ({ [inputName]: input }))),
        ]),
        parameters: merged([listParameters(options.idProperty), ...additions.map((one) => one.parameters)]),
        responses: merged<Part>([SHARED_PARTS.responses, ...additions.map(({ responses }) => responses)]),
      }),
    },
  }
}

/** Every path of the server, behind the rewrite rules. */
function allPaths(
  listed: readonly Resource[],
  rules: RewriteRules,
  options: DocumentOptions,
): Map<string, PathItem> {
  const resource = (wanted: string) => listed.find(({ name }) => name === wanted)
  const query = Object.keys(listParameters('')).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const ofResources = listed.map((one) => resourcePaths(one, query))
  const all = new Map<string, PathItem>()
  // The first operation of a path wins, as the steps of the server do.
  for (const paths of [
    ...options.additions.map((addition) => addition.paths),
    ...options.services().map((describe) => describe({ ...options, resource })),
    pagesOfServer(rules),
    ...(options.readOnly ? ofResources.map(readsAlone) : ofResources),
  ])
    for (const [path, item] of Object.entries(paths)) all.set(path, { ...item, ...all.get(path) })
  return all
}

function readsAlone(paths: Paths): Paths {
  const reads = Object.entries(paths).map(([path, { parameters, get }]) => [path, { parameters, get }])
  return Object.fromEntries(reads)
}

/** The pages of the server itself: its whole data, and its rules if it has any. */
function pagesOfServer(rules: RewriteRules): Paths {
  const page = (operationId: string, summary: string, description: string): PathItem => ({
    get: {
      operationId,
      tags: ['Server'],
      summary,
      responses: {
        200: jsonResponse(description, ANY_OBJECT, {}),
        304: shared('responses', 'notModified'),
      },
    },
  })
  return {
    '/db': page('readDatabase', 'Get the whole data', 'All resources by name.'),
    ...(rules !== NO_RULES && {
      [RULES_PATH]: page(
        'readRewriteRules',
        'Get the rewrite rules',
        'From the path of a request to the path that the router knows.',
      ),
    }),
  }
}

/** Adds what every operation has: whether it needs a token, and what other options add. */
function completePaths(
  paths: ReadonlyMap<string, PathItem>,
  { additions, allowed }: DocumentOptions,
): Record<string, PathItem> {
  const parameters = additions.flatMap((addition) => Object.keys(addition.parameters ?? {}))
  const statuses = additions.flatMap((addition) => Object.keys(addition.responses ?? {}))
  const added = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])
  const completed = [...paths].map(([path, item]): [string, PathItem] => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method]
      // A GET of these gets the page or this document.
      if (operation === undefined || (method === 'get' && OWN_PATHS.includes(path))) return []
      const own = withSecurity(operation, method.toUpperCase(), path, allowed)
      return [[method, { ...own, responses: { ...Object.fromEntries(added), ...own.responses } }]]
    })
    const all = [
      ...(item.parameters ?? []),
      ...parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ]
    return [path, { ...(all.length > 0 && { parameters: all }), ...Object.fromEntries(operations) }]
  })
  return Object.fromEntries(completed)
}

/** How to log in and how the document was made, in a sentence each; and what it does not show. */
function introduction(rules: RewriteRules, unlisted: readonly Resource[]): string {
  const ways = Object.entries(rules).map(([from, to]) => `${asText(from)} leads to ${asText(to)}`)
  const names = unlisted.map(({ name }) => asText(name))
  return [
    `**Log in** at the top of \`${PAGE_PATH}\`, or send the \`access_token\` from \`POST ${LOGIN_PATH}\` ` +
      'as `Authorization: Bearer <access_token>`: every request with a lock needs it.',
    'This was made from a sample of the data as it was loaded: records can have other fields than those ' +
      'shown, and the server itself requires none of them.',
    ways.length > 0 && `Rewrite rules lead to these paths from others: ${ways.join(', ')}.`,
    names.length > 0 && `Not listed, because of their names or their number: ${names.join(', ')}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join('\n\n')
}

/** A text for Markdown, in which nothing is markup of that or of HTML: such characters are entities. */
function asText(text: string): string {
  return text.replace(/[^a-z0-9 /.:-]/giu, (character) => `&#${character.codePointAt(0)};`)
}

/** All of these parts by their names; of those with the same name, the last. */
function merged<Value>(
  parts: readonly (Readonly<Record<string, Value>> | undefined)[],
): Record<string, Value> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})))
}
