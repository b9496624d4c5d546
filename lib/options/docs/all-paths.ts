import { ALL, isAllowed } from '../../auth/allow-rules'
import { pathMatcher } from '../../auth/path-pattern'
import type { PathEntry, PathItem } from '../docs-addition'
import type { DocumentContext } from './context'
import { UniqueNames } from './names'
import { DOCUMENT_PATH, PAGE_PATH } from './own-paths'
import { loginPaths } from './paths/login-paths'
import { isRelation } from './paths/parameters'
import { publicPaths } from './paths/public-paths'
import { resourcePaths } from './paths/resource-paths'
import { type RewrittenPaths, rewrittenPaths } from './paths/rewritten-paths'
import { serverPaths } from './paths/server-paths'
import { userLookupPaths } from './paths/user-lookup-paths'
import { whoAmIPaths } from './paths/who-am-i-paths'
import { shared } from './responses'
import { HERE, METHODS, mapOperations, NEEDS_TOKEN, OPTIONAL_TOKEN } from './types'

/** A GET of these gets the page or this document, even where the data has a resource with that name. */
const OWN_PAGES: readonly PathEntry[] = [PAGE_PATH, DOCUMENT_PATH].map((path) => [path, { get: undefined }])

/** Every path of the server, after the rewrite rules. */
export function allPaths(context: DocumentContext): RewrittenPaths {
  const known = mergePaths([
    ...loginPaths(context),
    ...whoAmIPaths(context),
    ...publicPaths(context),
    ...serverPaths(context),
    ...context.resources.flatMap((resource) => resourcePaths(resource, context)),
  ]).map((entry) => withAllowed(entry, context))
  const rewritten = rewrittenPaths(known, context.rules)
  // In the order of the steps in server.ts: the first entry for a path wins.
  const entries = mergePaths([
    ...OWN_PAGES,
    ...context.additions.flatMap(({ paths }) => paths.map(servedHere)),
    ...userLookupPaths(),
    ...rewritten.entries,
  ])
  const names = new UniqueNames()
  return {
    ...rewritten,
    entries: entries.map(([path, item]) => [path, complete(item, names, context)]),
  }
}

/** No rewrite rule leads to a path that another option adds. */
function servedHere([path, item]: PathEntry): PathEntry {
  return [path, { ...item, servers: [HERE] }]
}

/** Merges the entries for the same path; other names of placeholders do not make it another path. */
function mergePaths(entries: readonly PathEntry[]): PathEntry[] {
  const paths = new Map<string, PathEntry>()
  for (const [template, item] of entries) {
    const key = template.replace(/\{\w+\}/g, '{}')
    const [spelling, known] = paths.get(key) ?? [template, {}]
    // The parameters have other names: the document cannot have both.
    if (spelling === template) paths.set(key, [template, { ...item, ...known }])
  }
  return [...paths.values()].filter(([, item]) => METHODS.some((method) => item[method]))
}

/**
 * Says of an operation that is allowed without a token that it needs none, and of one that is allowed for
 * some records, for which; a token that is sent is checked.
 */
function withAllowed([path, item]: PathEntry, { allowed }: DocumentContext): PathEntry {
  const address = path.replace('{id}', ':id')
  const isHere = pathMatcher(address)
  const marked = mapOperations(item, (operation, method) => {
    if (operation.security !== undefined || allowed === ALL) return operation
    const verb = method.toUpperCase()
    const responses = { 401: shared('unauthorized'), ...operation.responses }
    if (isAllowed(allowed, verb, address)) {
      // Relations read other collections, which still need a token.
      const parameters = operation.parameters?.filter((parameter) => !isRelation(parameter))
      return { ...operation, security: [], parameters, responses }
    }
    // A nested route leads to another resource than the one that its rule would name.
    const records = address.endsWith('/:id')
      ? allowed.filter((rule) => rule.method === verb && isHere(rule.path))
      : []
    if (records.length === 0) return operation
    const names = [...new Set(records.map((rule) => `\`${rule.path}\``))].join(', ')
    return {
      ...operation,
      description: `Without a token only for ${names}.`,
      security: OPTIONAL_TOKEN,
      responses,
    }
  })
  return [path, marked]
}

/**
 * Adds what every operation has: a name of its own, 401 unless it is public, and what other options add.
 */
function complete(item: PathItem, names: UniqueNames, { additions, allowed }: DocumentContext): PathItem {
  const everywhere = additions.map((addition) => addition.everywhere)
  const usual = allowed === ALL ? [] : NEEDS_TOKEN
  const { parameters = [] } = item
  // The page lists the parameters of a path below those of its operations, but an id goes first.
  const isFirst = METHODS.some((method) => item[method]?.parameters?.length)
  const completed = mapOperations(item, (operation) => ({
    ...operation,
    operationId: names.take(operation.operationId),
    parameters: unlessEmpty([...(isFirst ? parameters : []), ...(operation.parameters ?? [])]),
    responses: {
      ...((operation.security ?? usual) === NEEDS_TOKEN && { 401: shared('unauthorized') }),
      ...Object.assign({}, ...everywhere.map(({ responses }) => responses)),
      ...operation.responses,
    },
  }))
  return {
    ...completed,
    parameters: unlessEmpty([
      ...(isFirst ? [] : parameters),
      ...everywhere.flatMap(({ parameters }) => parameters),
    ]),
  }
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}
