import type { DocumentContext } from '../context'
import { mapValues } from '../map-values'
import { pascalCase, type UniqueNames } from '../names'
import { HERE, type Operation, type Parameter, type PathEntry, type PathItem, type Server } from '../types'
import { addressRewriter, EXAMPLE_VALUE, exampleAddress } from './rewrite-request'
import { fillIn, matchTarget, parseRule, type Rule } from './rewrite-rule'

/** Rules multiply the paths, and nobody can use a document with more. */
const MOST_PATHS = 1000

interface Candidate {
  readonly template: string
  readonly item: PathItem
  /** The query that a request must have, with its question mark. */
  readonly query: string
  /** The path that the router knows. */
  readonly target: string
  /** The patterns of the rules that lead there. */
  readonly by: readonly string[]
}

export interface RewrittenPaths {
  readonly paths: readonly PathEntry[]
  /** This server, with each prefix that rules give to its paths. */
  readonly servers: readonly Server[]
  /** The patterns of the rules that appear in neither. */
  readonly unlisted: readonly string[]
}

/**
 * The paths after the rewrite rules: those that rules add, and those of the server that no rule hides. Each is tried with
 * the server's rewriter, and left out if that leads to another path.
 *
 * @param known the paths behind the rewriter
 */
export function rewrittenPaths(
  known: readonly PathEntry[],
  { rules, operationIds }: Pick<DocumentContext, 'rules' | 'operationIds'>,
): RewrittenPaths {
  let candidates = known.map(
    ([template, item]): Candidate => ({ template, item, query: '', target: template, by: [] }),
  )
  const prefixes = new Map<string, string[]>()
  // Each rule rewrites the result of the one before, so that the last is the nearest to the router.
  for (const [from, to] of Object.entries(rules).reverse()) {
    const rule = parseRule(from, to)
    if (rule === undefined) continue
    const prefix = prefixOf(rule)
    if (prefix !== undefined) {
      prefixes.set(prefix, [from, ...(prefixes.get(prefix) ?? [])])
      continue
    }
    const passed = [...prefixes.keys()].find((known) => rule.to.startsWith(`${known}/`)) ?? ''
    const direct = { ...rule, to: rule.to.slice(passed.length) }
    candidates = candidates
      .concat(candidates.flatMap((candidate) => applyRule(direct, candidate, operationIds)))
      .slice(0, MOST_PATHS)
  }
  const rewrite = addressRewriter(rules)
  const isServed = ({ template, query, target }: Candidate, prefix: string) =>
    rewrite(prefix + exampleAddress(template) + query).split('?')[0] === exampleAddress(target)
  const served = candidates.filter((candidate) => isServed(candidate, ''))
  const shown = new Set(served.flatMap(({ by }) => by))
  const servers: Server[] = [HERE]
  for (const [url, by] of prefixes) {
    if (!served.some((candidate) => isServed(candidate, url))) continue
    servers.push({ url, description: `By a rewrite rule: ${by.map((from) => `\`${from}\``).join(', ')}.` })
    for (const from of by) shown.add(from)
  }
  return {
    paths: served.map((candidate): PathEntry => {
      const own = servers.filter(({ url }) => isServed(candidate, url === '/' ? '' : url))
      const { template, item } = candidate
      if (own.length === servers.length) return [template, item]
      return [template, mapValues(item, (operation) => ({ ...operation, servers: own }))]
    }),
    servers,
    unlisted: Object.keys(rules).filter((from) => !shown.has(from)),
  }
}

/** The prefix that a rule such as `/api/*` to `/$1`, or `/api/:resource` to `/:resource`, adds to paths of any name. */
function prefixOf({ from, fromQuery, to, keepsQuery }: Rule): string | undefined {
  const prefix = from.slice(0, from.length - to.length)
  const isPrefix = to.startsWith('/{') && keepsQuery && fromQuery.length === 0 && from === prefix + to
  return isPrefix && /^(?:\/[\w.~-]+)+$/.test(prefix) ? prefix : undefined
}

/** The path that a rule adds for another one, if it adds one. */
function applyRule(rule: Rule, candidate: Candidate, operationIds: UniqueNames): Candidate[] {
  const meeting = matchTarget(rule, candidate.template)
  if (meeting === undefined || candidate.query !== '') return []
  const { found, values } = meeting
  const template = fillIn(rule.from, found)
  if (!isTemplate(template)) return []
  const query = rule.fromQuery.map(([name]) => `${name}=${EXAMPLE_VALUE}`).join('&')
  const change = (operation: Operation): Operation => ({
    ...operation,
    operationId: operationIds.take(`${operation.operationId}Via${pascalCase(template)}`),
    description: `By the rewrite rule \`${rule.pattern}\`.`,
    parameters: rewriteParameters(rule, template, operation.parameters ?? [], found),
  })
  return [
    {
      template,
      item: mapValues(candidate.item, change),
      query: query && `?${query}`,
      target: fillIn(candidate.target, values),
      by: [...candidate.by, rule.pattern],
    },
  ]
}

/** The parameters of an operation under another path: those that are not in that path are in the query, or nowhere. */
function rewriteParameters(
  { fromQuery, keepsQuery }: Rule,
  template: string,
  parameters: readonly Parameter[],
  found: ReadonlyMap<string, string>,
): Parameter[] {
  const own = new Map(parameters.filter(isInPath).map((parameter) => [`{${parameter.name}}`, parameter]))
  const text = (name: string): Parameter => ({
    name,
    in: 'path',
    required: true,
    description: 'A part of the rewrite rule.',
    schema: { type: 'string' },
  })
  return [
    ...Array.from(template.matchAll(/\{([^{}]*)\}/g), ([key, name = '']) => own.get(key) ?? text(name)),
    ...fromQuery.map(
      ([name, placeholder]): Parameter => ({
        ...(own.get(found.get(`{${placeholder}}`) ?? '') ?? text(name)),
        name,
        in: 'query',
      }),
    ),
    ...(keepsQuery ? parameters.filter((parameter) => !isInPath(parameter)) : []),
  ]
}

function isInPath(parameter: Parameter): boolean {
  return parameter.in === 'path'
}

/** Whether the document can have a path: with complete placeholders, each only once. */
function isTemplate(path: string): boolean {
  const placeholders = path.match(/\{[^{}]*\}/g) ?? []
  return (
    /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{\w+\})*$/.test(path) &&
    new Set(placeholders).size === placeholders.length
  )
}
