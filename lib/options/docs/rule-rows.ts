import {
  bodyOf,
  type Group,
  listOf,
  type Operation,
  type OperationRow,
  reference,
  type Schema,
  TEXT,
} from '../../http/openapi'
import { isRead } from '../../http/request'
import { prefixOf, type RewriteRules, ruleSide } from '../../http/rewrite-rules'
import { ONE } from '../../json-server/own-filters'
import { pascalCase, uniqueName } from './resources'

/** A path of which each part is a text or a parameter, as a document can have it. */
const PLAIN = /^(?:\/:?[\w.~-]+)+$/

/** A parameter in a rule, and in a document. */
const PARAMETER = /:(\w+)/g
const PLACEHOLDER = /\{[^{}]*\}/g

/** Gives a parameter of which the document has one for all. */
type FindParameter = (reference: string) => DescribedParameter | undefined

/** A parameter of an operation. */
interface DescribedParameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

/**
 * The operations that rewrite rules with a method add: each is that to which its target leads. Where a read is asked for
 * by another method, the body has what its query has.
 *
 * @param groups to what they can lead: each operation is in the group of that
 */
export function ruleRows(rules: RewriteRules, groups: readonly Group[], shared: FindParameter): Group[] {
  const prefix = prefixOf(rules)
  const find = operationFinder(groups)
  const names = new ParameterNames(
    rules,
    groups.flatMap(([, rows]) => rows),
  )
  const entries = Object.entries(rules)
  const ofPrefix = prefix === '' ? entries.length : entries.findIndex(([from]) => from === `${prefix}/*`)
  return entries.flatMap(([from, to], index): Group[] => {
    const { method, path } = ruleSide(from)
    if (method === undefined || !PLAIN.test(path)) return []
    const target = ruleSide(to)
    const [whole = '', query] = target.path.split('?')
    // Rules act one after the other: one that takes the prefix away has done so already, or does it then.
    const isBefore = index < ofPrefix
    const ledTo = isBefore && whole.startsWith(`${prefix}/`) ? whole.slice(prefix.length) : whole
    const asked = `${target.method ?? method} ${ledTo}`
    const found = find(asked)
    if (found === undefined) return []
    const { tag, row } = found
    const template = path.replaceAll(PARAMETER, '{$1}')
    const inPath = names.of((isBefore ? '' : prefix) + template)
    const operation = ledOperation({ method, path, inPath }, asked, row, shared)
    const texts = template.split(PLACEHOLDER)
    const named = texts.reduce((start, text, position) => `${start}{${inPath[position - 1]}}${text}`)
    const led: OperationRow = [
      `${method} ${named}`,
      `${method.toLowerCase()}${pascalCase(path)}`,
      {
        ...(new URLSearchParams(query).has(ONE) ? ofOne(operation) : operation),
        ...(isBefore && { isFixed: true }),
        ledTo: row[0],
        description: [`As \`${to}\`.`, row[2].description ?? ''].join(' ').trim(),
      },
    ]
    return [[tag, [led]]]
  })
}

/**
 * The names of the parameters in each path: those of a path are unique, and a document has no two paths that differ by
 * them alone.
 */
class ParameterNames {
  readonly #known = new Map<string, readonly string[]>()

  /** @param rows all operations that are no rule's: their names stay */
  constructor(rules: RewriteRules, rows: readonly OperationRow[]) {
    const prefix = prefixOf(rules)
    for (const [line, , { isFixed }] of rows) this.of((isFixed ? '' : prefix) + line.slice(line.indexOf('/')))
  }

  /** Those of a path such as `/tasks/{slug}`: of one that is known as `/tasks/{id}`, `id`. */
  of(path: string): readonly string[] {
    const form = path.replaceAll(PLACEHOLDER, '{}')
    const taken = new Set<string>()
    const names =
      this.#known.get(form) ??
      [...path.matchAll(PLACEHOLDER)].map(([text]) => uniqueName(text.slice(1, -1), taken))
    this.#known.set(form, names)
    return names
  }
}

/** Finds the first operation that a method and a path ask for, such as `GET /tasks/:id`, and its group. */
function operationFinder(groups: readonly Group[]) {
  // Each path begins with a name. To compare 3,000 rules with all operations of 100 collections takes seconds.
  const keyOf = (line: string) => {
    const parts = line.split('/')
    return `${parts.length} ${parts.slice(0, 2).join('/')}`
  }
  const places = new Map<string, { tag: string; row: OperationRow }[]>()
  for (const [tag, rows] of groups)
    for (const row of rows) {
      const key = keyOf(row[0])
      places.set(key, [...(places.get(key) ?? []), { tag, row }])
    }
  return (asked: string) => places.get(keyOf(asked))?.find(({ row: [line] }) => isAskedBy(line, asked))
}

/** Whether a method and a path, such as `GET /tasks/:id`, are those of an operation. */
function isAskedBy(line: string, asked: string): boolean {
  const [own, others] = [line.split('/'), asked.split('/')]
  return own.length === others.length && own.every((part, index) => standsFor(part, others[index] ?? ''))
}

function standsFor(part: string, asked: string): boolean {
  return part.startsWith('{') ? asked !== '' : part === asked
}

/** An operation as it is asked for by the key of a rule, with these names of the parameters in its path. */
function ledOperation(
  { method, path, inPath: names }: { method: string; path: string; inPath: readonly string[] },
  asked: string,
  [line, , operation]: OperationRow,
  shared: FindParameter,
): Operation {
  const { parameters = [], ...others } = operation
  const known = parameters.flatMap((parameter) => resolved(parameter, shared) ?? [])
  const [own, target] = [line.split('/'), asked.split('/')]
  const inPath = [...path.matchAll(PARAMETER)].map(([text], position) => {
    const template = own[target.indexOf(text)]
    const parameter = known.find((one) => one.in === 'path' && `{${one.name}}` === template)
    return { in: 'path', required: true, schema: TEXT, ...parameter, name: names[position] }
  })
  const inQuery = known.filter((one) => one.in === 'query')
  const isSearch = isRead({ method: asked.split(' ')[0] ?? '' }) && !isRead({ method })
  return {
    ...others,
    parameters: [...inPath, ...parameters.filter((one) => resolved(one, shared)?.in === 'query')],
    ...(isSearch && { requestBody: searchBody(inQuery) }),
  }
}

/** The same for a rule that asks a list for its first record. */
function ofOne(operation: Operation): Operation {
  const { success, errors } = operation
  if (success?.items === undefined) return operation
  return {
    ...operation,
    success: success.items,
    errors: { ...errors, 404: reference('responses', 'NotFound') },
  }
}

function searchBody(parameters: readonly DescribedParameter[]): object {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema: { items, ...schema } }) => [
      name,
      items === undefined ? schema : { anyOf: [items, listOf(items)] },
    ]),
  )
  return { ...bodyOf({ type: 'object', properties }), required: false }
}

function resolved(parameter: object, shared: FindParameter): DescribedParameter | undefined {
  return '$ref' in parameter ? shared(String(parameter.$ref)) : isParameter(parameter) ? parameter : undefined
}

function isParameter(value: object): value is DescribedParameter {
  return 'name' in value && 'in' in value && 'schema' in value
}
