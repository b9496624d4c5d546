import { LOGIN_PATH } from '../../../auth/access-policy'
import type { HttpRequest } from '../../../http/handler'
import { compileRules, type RewriteRules, RULES_PATH } from '../../../http/rewrite-rules'
import { RulePattern } from '../../../http/rule-pattern'
import type { Part } from '../../docs-addition'
import { pascalCase } from '../names'
import templates from '../templates/resource.json'
import { HERE, mapOperations, type Path } from '../types'

/** Takes the address of a request, and gives the one to which the rules lead it. */
type Rewrite = (address: string) => string

/** A rule for all paths behind a prefix, such as `/api/*` or `/api/:resource/:id`. */
const PREFIX_RULE = /^((?:\/[\w.~-]+)+)((?:\/(?:\*|:\w+))+)$/

/** Nobody chooses from more, and each path is rewritten once for each of them. */
const MOST_PREFIXES = 20

/** A rule for one path, with names in it, none of them twice. */
const PATH_RULE = /^(?!.*:(\w+)\b.*:\1\b)\/[\w.~:/-]*$/

/** The server does not rewrite these. */
const NEVER_REWRITTEN = [LOGIN_PATH, RULES_PATH]

/**
 * The paths after the rewrite rules: those of the server that no rule hides, and those that rules add. The
 * server's own rewriter says where an example of each leads. Without it, the four rules of json-server's
 * README would leave 39 operations out of a document of the tests' sample data, and 4 of the other 40 would
 * be wrong; the one rule in `routes.json` would leave out 3.
 *
 * @param known the paths behind the rewriter
 * @returns the `rewritten` paths; this server, with each prefix that rules give to its paths; and the
 * patterns of the `otherRules`, which add neither
 */
export function rewrittenPaths(known: readonly Path[], rules: RewriteRules) {
  const rewrite = addressRewriter(rules)
  const byPath = new Map(known.map((path) => [path.path, path]))
  const readRules = Object.keys(rules).map((from) => ({
    from,
    path: addedPath(from, byPath, rewrite),
    prefix: addedPrefix(from, rewrite),
  }))
  const wayOf = (path: Path) => {
    const address = exampleOf(path.path)
    return { path, address, target: NEVER_REWRITTEN.includes(address) ? address : rewrite(address) }
  }
  const ways = [
    ...known.map(wayOf).filter(({ address, target }) => target.split('?')[0] === address),
    ...readRules.flatMap(({ path }) => path ?? []).map(wayOf),
  ]
  const prefixes = [...new Set(readRules.flatMap(({ prefix }) => prefix ?? []))].slice(0, MOST_PREFIXES)
  const servers = [
    HERE,
    ...prefixes.map((url) => ({ url, description: `By the rewrite rules for \`${url}/\`.` })),
  ]
  return {
    rewritten: ways.map(({ path, address, target }) => {
      const own = servers.filter((server) => server === HERE || rewrite(server.url + address) === target)
      return own.length < servers.length ? { ...path, servers: own } : path
    }),
    servers,
    otherRules: readRules
      .filter(({ path, prefix = '' }) => path === undefined && !prefixes.includes(prefix))
      .map(({ from }) => from),
  }
}

/** The prefix that a rule gives to paths, which it leads to what is behind it. */
function addedPrefix(from: string, rewrite: Rewrite): string | undefined {
  const [, prefix = '', rest = ''] = PREFIX_RULE.exec(from) ?? []
  const address = exampleOf(rest.replace(/\*|:\w+/g, '{rest}'))
  return prefix !== '' && rewrite(prefix + address) === rewrite(address) ? prefix : undefined
}

/** The path that a rule adds; none for a pattern of another kind, or that leads to no known path. */
function addedPath(from: string, known: ReadonlyMap<string, Path>, rewrite: Rewrite): Path | undefined {
  if (!PATH_RULE.test(from)) return undefined
  const path = from.replace(/:(\w+)/g, '{$1}')
  const address = exampleOf(path)
  const target = rewrite(address)
  const [pathname = '', query] = target.split('?')
  const [, , id] = pathname.split('/')
  const found = known.get(pathname) ?? known.get(pathname.replace(/^(\/[^/]+\/)[^/]+/, '$1{id}'))
  if (found === undefined || target === address) return undefined
  const keepsQuery = query === undefined && rewrite(`${address}?q=1`) === `${target}?q=1`
  const pattern = new RulePattern(from)
  const values = pattern.match(address) ?? []
  const isInPath = (parameter: Part) => parameter.in === 'path'
  const operations = mapOperations(
    found.operations,
    ({ parameters = [], description = '', ...operation }) => ({
      ...operation,
      operationId: `${operation.operationId}Via${pascalCase(path)}`,
      description: `By the rewrite rule \`${from}\`. ${description}`.trimEnd(),
      parameters: [
        ...pattern.names.flatMap((name, index) =>
          // The rules have put the value of this name in the place of the record's id, so the parameter is
          // described as one. Only the rewriter itself knows where a value goes.
          name === 'id' && values[index] === id
            ? parameters.filter(isInPath)
            : { ...templates.ruleParameter, name },
        ),
        ...parameters.filter((parameter) => keepsQuery && !isInPath(parameter)),
      ],
    }),
  )
  return { path, operations }
}

/**
 * A path with another number in the place of each name, so that each can be found again where the rules lead
 * it. No rule is likely to name a number of this size.
 */
function exampleOf(path: string): string {
  return path.replace(/\{\w+\}/g, (_name, position) => String(987654321 + position))
}

/** Rewrites an address by all rules, with the code that the server uses for requests. */
function addressRewriter(rules: RewriteRules): Rewrite {
  const rewrite = compileRules(rules)
  return (address) => {
    // The rules look at the URL alone.
    const request: HttpRequest = Object.create({ url: address })
    rewrite(request, Object.create(null))
    return request.url
  }
}
