/** A part of a rule's pattern: plain text, or a placeholder for what is there. */
export type Token = { readonly text: string } | { readonly placeholder: string; readonly wildcard: boolean }

/** A rewrite rule taken apart. Placeholders have the names by which both sides know them. */
export interface Rule {
  readonly from: readonly Token[]
  /** The query of the pattern, as names and the placeholders of their values. */
  readonly fromQuery: readonly (readonly [name: string, placeholder: string])[]
  readonly to: readonly Token[]
  /** Whether a query that is sent along arrives with the request. */
  readonly keepsQuery: boolean
}

/** In a pattern: an escaped character, `:name` with or without what it must match, `*`, and what is special otherwise. */
const FROM = /\\(.)|:(\w+)(\([^()]*\))?|(\*)|([()?+^$|[\]{}])|([^\\:*()?+^$|[\]{}]+)/g
const TO = /\$(\d+)|:(\w+)|([^$:]+|[$:])/g

/** Takes a rule apart, or gives undefined when it has optional or repeated parts: those make no path of the document. */
export function parseRule(from: string, to: string): Rule | undefined {
  const [fromPath = '', fromQuery] = from.split('\\?')
  const tokens: Token[] = []
  const names: string[] = []
  for (const [, escaped, name, , star, special, text] of fromPath.matchAll(FROM)) {
    if (special !== undefined) return undefined
    if (name === undefined && star === undefined) tokens.push({ text: escaped ?? text ?? '' })
    else {
      names.push(name ?? `wildcard${names.length + 1}`)
      tokens.push({ placeholder: names.at(-1) ?? '', wildcard: star !== undefined })
    }
  }
  const query = parseQuery(fromQuery, names)
  if (query === undefined) return undefined
  const [toPath = '', toQuery] = to.split('?')
  const target: Token[] = []
  for (const [, number, name, text] of toPath.matchAll(TO)) {
    if (text !== undefined) target.push({ text })
    else {
      const placeholder = name ?? names[Number(number) - 1]
      if (placeholder === undefined || !names.includes(placeholder)) return undefined
      target.push({ placeholder, wildcard: isWildcard(tokens, placeholder) })
    }
  }
  const last = tokens.at(-1)
  const targetsLast = target.at(-1)
  return {
    from: tokens,
    fromQuery: query,
    to: target,
    // The pattern is held against the query, too: only a placeholder at its end takes one up.
    keepsQuery:
      fromQuery === undefined &&
      toQuery === undefined &&
      last !== undefined &&
      targetsLast !== undefined &&
      'placeholder' in last &&
      'placeholder' in targetsLast &&
      last.placeholder === targetsLast.placeholder,
  }
}

/** Reads `a=:b&c=:d`, and notes the placeholders in it. */
function parseQuery(query: string | undefined, names: string[]): [string, string][] | undefined {
  if (query === undefined) return []
  const pairs: [string, string][] = []
  for (const pair of query.split('&')) {
    const [, name, placeholder] = /^([\w.-]+)=:(\w+)$/.exec(pair) ?? []
    if (name === undefined || placeholder === undefined) return undefined
    names.push(placeholder)
    pairs.push([name, placeholder])
  }
  return pairs
}

function isWildcard(tokens: readonly Token[], name: string): boolean {
  return tokens.some((token) => 'placeholder' in token && token.placeholder === name && token.wildcard)
}

/** How a rule leads to the path of an operation. */
export interface Meeting {
  /** What the placeholders of the rule's target stand for. */
  readonly found: ReadonlyMap<string, string>
  /** What the target has in the place of placeholders of the path: `1` for `{id}` where it leads to `/blogs/1`. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * How a rule leads to the path of an operation, or undefined where it does not.
 *
 * @param template the path of an operation, such as `/blogs/{id}`
 */
export function matchTarget(rule: Rule, template: string): Meeting | undefined {
  const values = valuesIn(rule, template)
  const names: string[] = []
  const pattern = rule.to.map((token) => {
    if ('text' in token) return escapePattern(token.text)
    names.push(token.placeholder)
    return token.wildcard ? '(.*)' : '([^/]+)'
  })
  const match = new RegExp(`^${pattern.join('')}$`).exec(fillIn(template, values))
  if (match === null) return undefined
  return { values, found: new Map(names.map((name, index) => [name, match[index + 1] ?? ''])) }
}

/** A path with values in the place of its placeholders. */
export function fillIn(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{[^{}]*\}/g, (placeholder) => values.get(placeholder) ?? placeholder)
}

/** The texts that a rule's target has where a path has placeholders. */
function valuesIn({ to }: Rule, template: string): Map<string, string> {
  const target = to.map((token) => ('text' in token ? token.text : '{}')).join('')
  const texts = target.split('/')
  const values = template.split('/').map((part, index): [string, string] => [part, texts[index] ?? ''])
  return new Map(values.filter(([part, text]) => /^\{[^{}]*\}$/.test(part) && /^[^{}]+$/.test(text)))
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
