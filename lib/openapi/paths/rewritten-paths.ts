import type { RewriteRules } from '../../http/rewrite-rules'
import { pascalCase, type UniqueNames } from '../names'
import type { Method, Operation, Parameter, PathEntry, PathItem } from '../types'
import { addressRewriter, EXAMPLE_VALUE, exampleAddress } from './rewrite-request'
import { fillIn, matchTarget, parseRule, type Rule } from './rewrite-rule'

/** Rules multiply each other: a document with more paths is of no use to anybody. */
const MOST_PATHS = 1000

interface Candidate {
  readonly template: string
  readonly item: PathItem
  /** The query that a request must have, with its question mark. */
  readonly query: string
  /** The path that the server itself knows. */
  readonly target: string
}

/**
 * The paths with the rewrite rules: those that rules add, and those of the server itself that no rule takes away.
 * Each is tried out on the server's own rewriter, and left out if that leads elsewhere.
 *
 * @param known the paths behind the rewriter
 */
export function rewrittenPaths(
  known: readonly PathEntry[],
  rules: RewriteRules,
  operationIds: UniqueNames,
): PathEntry[] {
  let candidates: Candidate[] = known.map(([template, item]) => ({
    template,
    item,
    query: '',
    target: template,
  }))
  // Each rule's result is handed to the next one, so the last is the nearest to the router.
  for (const [from, to] of Object.entries(rules).reverse()) {
    const rule = parseRule(from, to)
    if (rule === undefined) continue
    const added = candidates
      .map((candidate) =>
        applyRule(rule, candidate, `By the rewrite rule \`${from}\` → \`${to}\`.`, operationIds),
      )
      .filter((candidate) => candidate !== undefined)
    candidates = [...candidates, ...added].slice(0, MOST_PATHS)
  }
  const rewrite = addressRewriter(rules)
  return candidates
    .filter(({ template, query, target }) => {
      const [path] = rewrite(exampleAddress(template) + query).split('?')
      return path === exampleAddress(target)
    })
    .map(({ template, item }) => [template, item])
}

function applyRule(
  rule: Rule,
  candidate: Candidate,
  origin: string,
  operationIds: UniqueNames,
): Candidate | undefined {
  const meeting = matchTarget(rule, candidate.template)
  if (meeting === undefined || candidate.query !== '') return undefined
  const { found, values } = meeting
  const template = rule.from
    .map((token) =>
      'text' in token ? token.text : (found.get(token.placeholder) ?? `{${token.placeholder}}`),
    )
    .join('')
  if (!isTemplate(template)) return undefined
  const query = rule.fromQuery.map(([name]) => `${name}=${EXAMPLE_VALUE}`).join('&')
  const change = (operation: Operation): Operation => ({
    ...operation,
    operationId: operationIds.take(`${operation.operationId}Via${pascalCase(template)}`),
    description: `${operation.description} ${origin}`,
    parameters: rewriteParameters(rule, template, operation.parameters ?? [], found),
  })
  return {
    template,
    item: mapOperations(candidate.item, change),
    query: query && `?${query}`,
    target: fillIn(candidate.target, values),
  }
}

/** The parameters of an operation under another path: what its path does not hold stands in the query, if anywhere. */
function rewriteParameters(
  { fromQuery, keepsQuery }: Rule,
  template: string,
  parameters: readonly Parameter[],
  found: ReadonlyMap<string, string>,
): Parameter[] {
  const own = new Map(
    parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => [`{${parameter.name}}`, parameter]),
  )
  const placeholders = template.match(/\{[^{}]*\}/g) ?? []
  const text = (name: string): Parameter => ({
    name,
    in: 'path',
    required: true,
    description: 'A part of the rewrite rule.',
    schema: { type: 'string' },
  })
  return [
    ...placeholders.map((placeholder) => own.get(placeholder) ?? text(placeholder.slice(1, -1))),
    ...fromQuery.map(([name, placeholder]): Parameter => {
      const parameter = own.get(found.get(placeholder) ?? '') ?? text(name)
      return { ...parameter, name, in: 'query' }
    }),
    ...(keepsQuery ? parameters.filter((parameter) => parameter.in === 'query') : []),
  ]
}

/** Whether a path can stand in the document: with whole placeholders, each only once. */
function isTemplate(path: string): boolean {
  const placeholders = path.match(/\{[^{}]*\}/g) ?? []
  return (
    /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{\w+\})*$/.test(path) &&
    new Set(placeholders).size === placeholders.length
  )
}

function mapOperations(item: PathItem, change: (operation: Operation) => Operation): PathItem {
  const methods: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete']
  return Object.fromEntries(
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [[method, change(operation)]]
    }),
  )
}
