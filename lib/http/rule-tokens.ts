/** A parameter of a rewrite rule: `:name`, `:name?`, `:name+`, `:name*` or the wildcard `*`. */
export interface Parameter {
  /** A wildcard has a number in the place of a name, from 0. */
  readonly name: string
  /** Whether it takes any characters, none as well. All others take one character at least. */
  readonly isWildcard: boolean
  /** Whether it can be left out. */
  readonly isOptional: boolean
  /** The slash or dot that is left out with it; or nothing. */
  readonly prefix: string
  /** What is between repeated values: a slash, a dot or nothing; undefined for a single value. */
  readonly between: string | undefined
  /** The character that no value holds. */
  readonly delimiter: string
  /** The text between the last parameter and this one, if any: a value is that text, or does not hold it. */
  readonly separator: string
}

/** An escaped character, a parameter or a wildcard, or a group (`PATH_REGEXP` in path-to-regexp 1.9). */
const SPECIAL = /\\(.)|([/.])?(?::(\w+)([+*?])?|(\*))|(\((?:\\.|[^\\()])+\))/g

/**
 * Reads the pattern of a rewrite rule, as path-to-regexp 1.9 does.
 *
 * @returns texts and parameters, in their order
 * @throws TypeError when the pattern holds a group, in which there could be any regular expression
 */
export function readPattern(pattern: string): (string | Parameter)[] {
  const tokens: (string | Parameter)[] = []
  let text = ''
  let position = 0
  let wildcards = 0
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
    const isRepeated = modifier === '+' || modifier === '*'
    // In `/:a?-b`, the slash is not left out with the parameter.
    const hasPrefix = isOptional && [undefined, ahead].includes(pattern[position])
    const separator = ahead === '' && !text.includes('/') ? text : ''
    tokens.push(hasPrefix ? text : text + ahead, {
      name: name ?? String(wildcards++),
      isWildcard: name === undefined,
      isOptional,
      prefix: hasPrefix ? ahead : '',
      between: isRepeated ? ahead : undefined,
      delimiter: ahead || '/',
      separator,
    })
    text = ''
  }
  text += pattern.slice(position)
  // A slash at the end does not matter.
  return [...tokens, text.replace(/\/$/, '')]
}
