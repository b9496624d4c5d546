import { type Part, type Positions, parameterPart, textPart, wildcardPart } from './rule-parts'

/**
 * The pattern of a rewrite rule, such as `/v1:rest*` or `/*\/x/*`, which is compared in a time in proportion
 * to the URL, whatever is sent: 1 to 2 ms for each part of the pattern and 16 kB. It finds what the regular
 * expression finds that express-urlrewrite (path-to-regexp 1.9) makes of a pattern: for `/v1:rest*` and a
 * path of 66 bytes that one needs minutes, because it tries every way to divide the path among the
 * parameters.
 *
 * Here, a walk from the end of the URL marks where each part of the pattern can begin so that all parts
 * behind it match, and a walk from its start then takes, for each part, what the library would take.
 */
export class RulePattern {
  readonly #parts: readonly Part[]
  /** The names of the parameters, in their order. A wildcard has a number in the place of a name, from 0. */
  readonly names: readonly string[]

  /** @throws TypeError when the pattern holds a group, in which there could be any regular expression */
  constructor(pattern: string) {
    this.#parts = parse(pattern)
    this.names = this.#parts.flatMap(({ name }) => name ?? [])
  }

  /**
   * Compares the pattern with a URL.
   *
   * @returns the values of the parameters, undefined for each that the URL leaves out; undefined when the URL
   *   does not match
   */
  match(url: string): (string | undefined)[] | undefined {
    const lowerCase = url.toLowerCase()
    const [first] = this.#parts
    if (first?.text !== undefined && !lowerCase.startsWith(first.text)) return undefined
    let next: Positions = new Uint8Array(url.length + 1)
    // Behind the last part, nothing may follow but a slash.
    next[url.length] = 1
    if (url.endsWith('/')) next[url.length - 1] = 1
    const ways = this.#parts.toReversed().map((part) => {
      const way = part.find(lowerCase, next)
      next = way.beginnings
      return { ...way, name: part.name }
    })
    if (!next[0]) return undefined
    const values: (string | undefined)[] = []
    let position = 0
    for (const { take, name } of ways.reverse()) {
      const { begin, end } = take(position)
      if (name !== undefined) values.push(begin === undefined ? undefined : url.slice(begin, end))
      position = end
    }
    return values
  }
}

/** An escaped character, a parameter or a wildcard, or a group (`PATH_REGEXP` in path-to-regexp 1.9). */
const SPECIAL = /\\(.)|([/.])?(?::(\w+)([+*?])?|(\*))|(\((?:\\.|[^\\()])+\))/g

/** @throws TypeError when the pattern holds a group */
function parse(pattern: string): Part[] {
  const parts: Part[] = []
  let text = ''
  let position = 0
  let unnamed = 0
  const endText = () => {
    if (text !== '') parts.push(textPart(text))
    text = ''
  }
  for (const { 0: special, index, ...groups } of pattern.matchAll(SPECIAL)) {
    const { 1: escaped, 2: ahead = '', 3: name, 4: modifier = '', 6: group } = groups
    if (group !== undefined) throw new TypeError(`it holds the group ${group}`)
    text += pattern.slice(position, index)
    position = index + special.length
    if (escaped !== undefined) {
      text += escaped
      continue
    }
    const isOptional = modifier === '?' || modifier === '*'
    // In `/:a?-b`, the slash is not left out with the parameter.
    const isPrefix = isOptional && [undefined, ahead].includes(pattern[position])
    const separator = ahead === '' && !text.includes('/') ? text : ''
    if (!isPrefix) text += ahead
    endText()
    if (name === undefined) parts.push(wildcardPart(String(unnamed++)))
    else
      parts.push(
        parameterPart({
          name,
          prefix: isPrefix ? ahead : '',
          delimiter: ahead || '/',
          separator,
          isOptional,
          isRepeated: modifier === '+' || modifier === '*',
          isList: ahead !== '',
        }),
      )
  }
  text += pattern.slice(position)
  // A slash at the end does not matter.
  text = text.replace(/\/$/, '')
  endText()
  return parts
}
