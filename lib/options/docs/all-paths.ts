import { USER_LOOKUP_PATH } from '../../auth/access-policy'
import { ALL, type Allowed, isAllowed } from '../../auth/allow-rules'
import { pathMatcher } from '../../http/path-pattern'
import type { DocumentContext } from './context'
import { uniqueNames } from './names'
import { DOCUMENT_PATH, PAGE_PATH } from './own-paths'
import { isRelation } from './paths/request-parts'
import { publicPaths, resourcePaths } from './paths/resource-paths'
import { rewrittenPaths } from './paths/rewritten-paths'
import { serverPaths } from './paths/server-paths'
import server from './templates/server.json'
import { HERE, mapOperations, NEEDS_TOKEN, type Path, type PathItem, referTo, toPath } from './types'

const UNAUTHORIZED = { 401: referTo('responses', 'unauthorized') }

/** Every path of the server, after the rewrite rules, and the servers on which they are. */
export function allPaths(context: DocumentContext) {
  const { additions, listed, rules, allowed } = context
  // Both lists are in the order of the steps in server.ts: the first operation for a path wins.
  const known = mergePaths([
    ...publicPaths(context),
    ...serverPaths(context),
    ...listed.flatMap((resource) => resourcePaths(resource, context)),
  ]).map((path) => withAllowed(path, allowed))
  const { rewritten, servers, otherRules } = rewrittenPaths(known, rules)
  // No rewrite rule leads to these.
  const ahead = [...additions.flatMap(({ paths }) => paths), [USER_LOOKUP_PATH, server.lookup] as const]
  const all = mergePaths([...ahead.map((entry) => ({ ...toPath(entry), servers: [HERE] })), ...rewritten])
  return { paths: completePaths(all, context), servers, otherRules }
}

/** Merges the operations for the same path; other names of placeholders do not make it another path. */
function mergePaths(paths: readonly Path[]): Path[] {
  const merged = new Map<string, Path>()
  for (const path of paths) {
    const key = path.path.replace(/\{\w+\}/g, '{}')
    const first = merged.get(key) ?? path
    // Where the parameters have other names, the document cannot have both.
    if (first.path === path.path)
      merged.set(key, { ...path, ...first, operations: { ...path.operations, ...first.operations } })
  }
  return [...merged.values()]
}

/**
 * Says of an operation that is allowed without a token that it needs none, and of one that is allowed for
 * some records, for which; a token that is sent is checked.
 */
function withAllowed(path: Path, allowed: Allowed): Path {
  if (allowed === ALL) return path
  const address = path.path.replace('{id}', ':id')
  const matches = pathMatcher(address)
  // A nested route leads to another resource than the one that its rule would name.
  const rulesOfRecords = allowed.filter((rule) => address.endsWith('/:id') && matches(rule.path))
  const operations = mapOperations(path.operations, (operation, name) => {
    const method = name.toUpperCase()
    if (operation.security !== undefined) return operation
    if (isAllowed(allowed, method, address)) {
      // Relations read other collections, which still need a token.
      const parameters = operation.parameters?.filter((parameter) => !isRelation(parameter))
      const responses = { ...UNAUTHORIZED, ...operation.responses }
      return { ...operation, security: [], parameters, responses }
    }
    const records = rulesOfRecords.filter((rule) => rule.method === method).map((rule) => `\`${rule.path}\``)
    if (records.length === 0) return operation
    const description = `Without a token only for ${records.join(', ')}.`
    // The first entry says that it can be open without a token, and the second that a token opens it.
    return { ...operation, description, security: [{}, ...NEEDS_TOKEN] }
  })
  return { ...path, operations }
}

/** Adds what every operation has: a name of its own, 401 unless it is public, and what other options add. */
function completePaths(
  paths: readonly Path[],
  { additions, allowed }: DocumentContext,
): Record<string, PathItem> {
  const parameters = additions.flatMap((addition) => addition.parameters ?? [])
  const responses = Object.assign({}, ...additions.map((addition) => addition.responses))
  const usualSecurity = allowed === ALL ? [] : NEEDS_TOKEN
  const takeName = uniqueNames()
  const items = paths.map(({ path, operations, servers }) => {
    const completed = mapOperations(operations, (operation) => {
      const { security = usualSecurity } = operation
      return {
        ...operation,
        operationId: takeName(operation.operationId),
        responses: { ...(security.length > 0 && UNAUTHORIZED), ...responses, ...operation.responses },
      }
    })
    // A GET of these gets the page or this document.
    const ownRead = [PAGE_PATH, DOCUMENT_PATH].includes(path) && { get: undefined }
    return [path, { ...completed, ...ownRead, servers, ...(parameters.length > 0 && { parameters }) }]
  })
  return Object.fromEntries(items)
}
