import { LOGIN_PATH } from '../../../auth/access-policy'
import { type RewriteRules, RULES_PATH } from '../../../http/rewrite-rules'
import type { Parameter, PathEntry } from '../../docs-addition'
import { pascalCase } from '../names'
import { HERE, mapOperations, type Server } from '../types'
import { addressRewriter, exampleOf, exampleValue, type Rewrite } from './rewrite-address'

export interface RewrittenPaths {
  readonly entries: readonly PathEntry[]
  /** This server, with each prefix that rules give to its paths. */
  readonly servers: readonly Server[]
  /** The patterns of the rules that add neither a path nor a server. */
  readonly others: readonly string[]
}

/** A rule for all paths behind a prefix, such as `/api/*` or `/api/:resource/:id`. */
const PREFIX_RULE = /^((?:\/[\w.~-]+)+)(?:\/(?:\*|:\w+))+$/
/** A rule for one path, with names in it. */
const PATH_RULE = /^\/[\w.~:/-]*$/
/** The server does not rewrite these. */
const NEVER_REWRITTEN = [LOGIN_PATH, RULES_PATH]

/**
 * The paths after the rewrite rules: those of the server that no rule hides, and those that rules add. The
 * server's own rewriter says where an example of each leads. Without it, the four rules of json-server's
 * README would leave 39 operations out of a document of the tests' sample data, and 4 of the other 40 would
 * be wrong; the one rule in `routes.json` would leave out 3.
 *
 * @param known the paths behind the rewriter
 */
export function rewrittenPaths(known: readonly PathEntry[], rules: RewriteRules): RewrittenPaths {
  const rewrite = addressRewriter(rules)
  const leadsTo: Rewrite = (path) => (NEVER_REWRITTEN.includes(path) ? path : rewrite(exampleOf(path)))
  const kept = known.filter(([path]) => leadsTo(path).split('?')[0] === exampleOf(path))
  const added = new Map(Object.keys(rules).flatMap((from) => addedPath(from, known, rewrite)))
  const listed = [...kept, ...added.values()]
  const prefixOf = (from: string) => PREFIX_RULE.exec(from)?.[1] ?? ''
  const isServed = (url: string, path: string) => rewrite(url + exampleOf(path)) === leadsTo(path)
  const prefixes = [...new Set(Object.keys(rules).map(prefixOf))].filter(
    (url) => url !== '' && listed.some(([path]) => isServed(url, path)),
  )
  const servers = [
    HERE,
    ...prefixes.map((url): Server => ({ url, description: `By the rewrite rules for \`${url}/\`.` })),
  ]
  return {
    entries: listed.map(([path, item]) => {
      const own = servers.filter((server) => server === HERE || isServed(server.url, path))
      return [path, own.length < servers.length ? { ...item, servers: own } : item]
    }),
    servers,
    others: Object.keys(rules).filter((from) => !added.has(from) && !prefixes.includes(prefixOf(from))),
  }
}

/**
 * The path that a rule adds, by the rule; none for a pattern of another kind, or that leads to no known path.
 */
function addedPath(from: string, known: readonly PathEntry[], rewrite: Rewrite): [string, PathEntry][] {
  const path = from.replace(/:(\w+)/g, '{$1}')
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const address = exampleOf(path)
  const target = rewrite(address)
  if (!PATH_RULE.test(from) || new Set(names).size < names.length || target === address) return []
  const keepsQuery = !target.includes('?') && rewrite(`${address}?q=1`) === `${target}?q=1`
  for (const [template, item] of known) {
    const pattern = template.replaceAll('.', '\\.').replace('{id}', '([^/]+)')
    const match = new RegExp(`^${pattern}(?:\\?|$)`).exec(target)
    if (match === null) continue
    const parameters = names.map((name, index) =>
      name === 'id' && match[1] === exampleValue(index) ? (item.parameters ?? []) : [ruleParameter(name)],
    )
    const changed = mapOperations(item, ({ parameters, description = '', ...operation }) => ({
      ...operation,
      operationId: `${operation.operationId}Via${pascalCase(path)}`,
      description: `By the rewrite rule \`${from}\`. ${description}`.trimEnd(),
      ...(keepsQuery && { parameters }),
    }))
    return [[from, [path, { ...changed, parameters: parameters.flat() }]]]
  }
  return []
}

function ruleParameter(name: string): Parameter {
  const description = 'A part of the rewrite rule.'
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}
