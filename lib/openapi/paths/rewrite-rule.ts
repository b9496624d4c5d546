/** A parsed rewrite rule: both sides as templates with the same placeholders, `{id}` for `:id` and `{*1}` for a star. */
export interface Rule {
  /** What the rule is for, as it was given. */
  readonly pattern: string
  readonly from: string
  /** The query that the rule is for, as names and the placeholders of their values. */
  readonly fromQuery: readonly (readonly [name: string, placeholder: string])[]
  readonly to: string
  /** Whether the query of a request is kept. */
  readonly keepsQuery: boolean
}

/** In a pattern: an escaped character, `:name` with or without what it must match, or `*`. */
const PART = /\\(.)|:(\w+)(?:\([^()]*\))?|\*/g
const PLACEHOLDER = /\{([^{}]*)\}/g

/** Parses a rule. The result is undefined for optional or repeated parts, which a path of the document cannot have. */
export function parseRule(from: string, to: string): Rule | undefined {
  const [fromPath = '', fromQuery] = from.split('\\?')
  if (/[()?+^$|[\]{}]/.test(fromPath.replace(PART, ''))) return undefined
  const names: string[] = []
  const source = fromPath.replace(PART, (_part, escaped?: string, name?: string) => {
    if (escaped !== undefined) return escaped
    names.push(name ?? `*${names.length + 1}`)
    return `{${names.at(-1)}}`
  })
  const query = parseQuery(fromQuery)
  if (query === undefined) return undefined
  names.push(...query.map(([, placeholder]) => placeholder))
  const [toPath = '', toQuery] = to.split('?')
  const target = toPath.replace(
    /\$(\d+)|:(\w+)/g,
    (_part, number: string, name?: string) => `{${name ?? names[Number(number) - 1]}}`,
  )
  const [last] = /\{[^{}]*\}$/.exec(source) ?? []
  return {
    pattern: from,
    from: source,
    fromQuery: query,
    to: target,
    // The pattern must match the query, too: only a placeholder at its end does.
    keepsQuery:
      fromQuery === undefined && toQuery === undefined && last !== undefined && target.endsWith(last),
  }
}

/** Reads `a=:b&c=:d`. */
function parseQuery(query: string | undefined): [name: string, placeholder: string][] | undefined {
  const pairs = query?.split('&').map((pair) => /^([\w.-]+)=:(\w+)$/.exec(pair)) ?? []
  return pairs.includes(null) ? undefined : pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])
}

/** How a rule leads to the path of an operation. */
export interface Meeting {
  /** The values in the path for placeholders of the rule. */
  readonly found: ReadonlyMap<string, string>
  /** The values in the rule for placeholders of the path: `1` for `{id}` where it leads to `/blogs/1`. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * How a rule leads to the path of an operation, or undefined where it does not.
 *
 * @param template the path of an operation, such as `/blogs/{id}`
 */
export function matchTarget({ to }: Rule, template: string): Meeting | undefined {
  const texts = to.split('/')
  const values = new Map(
    template
      .split('/')
      .map((part, index): [string, string] => [part, texts[index] ?? ''])
      .filter(([part, text]) => /^\{[^{}]*\}$/.test(part) && /^[^{}]+$/.test(text)),
  )
  const names: string[] = []
  const pattern = to
    .replace(/[.*+?^$()|[\]\\](?![^{}]*\})/g, '\\$&')
    .replace(PLACEHOLDER, (_placeholder, name: string) => {
      names.push(name)
      return name.startsWith('*') ? '(.*)' : '([^/]+)'
    })
  const match = new RegExp(`^${pattern}$`).exec(fillIn(template, values))
  if (match === null) return undefined
  return { values, found: new Map(names.map((name, index) => [`{${name}}`, match[index + 1] ?? ''])) }
}

/** A path with its placeholders replaced by these values. */
export function fillIn(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(PLACEHOLDER, (placeholder) => values.get(placeholder) ?? placeholder)
}
