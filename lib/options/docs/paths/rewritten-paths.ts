import express, { type Request, type Response } from 'express'
import { LOGIN_PATH } from '../../../auth/access-policy'
import { compileRules, type RewriteRules, RULES_PATH } from '../../../http/rewrite-rules'
import type { Parameter } from '../../docs-addition'
import { pascalCase } from '../names'
import { HERE, mapOperations, type Path, type Server } from '../types'

export interface RewrittenPaths {
  readonly listed: readonly Path[]
  /** This server, with each prefix that rules give to its paths. */
  readonly servers: readonly Server[]
  /** The patterns of the rules that add neither a path nor a server. */
  readonly others: readonly string[]
}

/** Takes the address of a request, and gives the one to which the rules lead it. */
type Rewrite = (address: string) => string

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
export function rewrittenPaths(known: readonly Path[], rules: RewriteRules): RewrittenPaths {
  const rewrite = addressRewriter(rules)
  const leadsTo: Rewrite = (path) => (NEVER_REWRITTEN.includes(path) ? path : rewrite(exampleOf(path)))
  const kept = known.filter(({ path }) => leadsTo(path).split('?')[0] === exampleOf(path))
  const byPath = new Map(known.map((path) => [path.path, path]))
  const added = new Map<string, Path>()
  for (const from of Object.keys(rules)) {
    const path = addedPath(from, byPath, rewrite)
    if (path !== undefined) added.set(from, path)
  }
  const all = [...kept, ...added.values()]
  const prefixOf = (from: string) => PREFIX_RULE.exec(from)?.[1] ?? ''
  const isServed = (url: string, path: string) => rewrite(url + exampleOf(path)) === leadsTo(path)
  const prefixes = [...new Set(Object.keys(rules).map(prefixOf))].filter(
    (url) => url !== '' && all.some(({ path }) => isServed(url, path)),
  )
  const servers = [
    HERE,
    ...prefixes.map((url) => ({ url, description: `By the rewrite rules for \`${url}/\`.` })),
  ]
  return {
    listed: all.map((path) => {
      const own = servers.filter((server) => server === HERE || isServed(server.url, path.path))
      return own.length < servers.length ? { ...path, servers: own } : path
    }),
    servers,
    others: Object.keys(rules).filter((from) => !added.has(from) && !prefixes.includes(prefixOf(from))),
  }
}

/** The path that a rule adds; none for a pattern of another kind, or that leads to no known path. */
function addedPath(from: string, known: ReadonlyMap<string, Path>, rewrite: Rewrite): Path | undefined {
  const path = from.replace(/:(\w+)/g, '{$1}')
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const address = exampleOf(path)
  const target = rewrite(address)
  if (!PATH_RULE.test(from) || new Set(names).size < names.length || target === address) return undefined
  const [pathname = '', query] = target.split('?')
  const [, id] = pathname.split('/').slice(1)
  const found = known.get(pathname) ?? known.get(pathname.replace(/^(\/[^/]+\/)[^/]+/, '$1{id}'))
  if (found === undefined) return undefined
  const keepsQuery = query === undefined && rewrite(`${address}?q=1`) === `${target}?q=1`
  return {
    path,
    parameters: names.flatMap((name, index) =>
      name === 'id' && id === exampleValue(index) ? (found.parameters ?? []) : [ruleParameter(name)],
    ),
    operations: mapOperations(found.operations, ({ parameters, description = '', ...operation }) => ({
      ...operation,
      operationId: `${operation.operationId}Via${pascalCase(path)}`,
      description: `By the rewrite rule \`${from}\`. ${description}`.trimEnd(),
      ...(keepsQuery && { parameters }),
    })),
  }
}

function ruleParameter(name: string): Parameter {
  const description = 'A part of the rewrite rule.'
  return { name, in: 'path', required: true, description, schema: { type: 'string' } }
}

/**
 * A path with a number in the place of each name: one that no rule is likely to name, and that rules for
 * numbers match.
 */
function exampleOf(path: string): string {
  let index = 0
  return path.replace(/\{\w+\}/g, () => exampleValue(index++))
}

/** The example for the name at this place in a path, from 0. */
function exampleValue(index: number): string {
  return String(987654321 + index)
}

/** Rewrites an address by all rules, with the code that the server uses for requests. */
function addressRewriter(rules: RewriteRules): Rewrite {
  const rewrite = compileRules(rules)
  return (address) => {
    const request: Request = Object.create(express.request)
    const response: Response = Object.create(express.response)
    request.url = request.originalUrl = address
    request.method = 'GET'
    rewrite(request, response)
    return request.url
  }
}
