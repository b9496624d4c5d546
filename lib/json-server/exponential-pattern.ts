import tokenizer, { type Token, types } from 'ret'

/**
 * Whether a regular expression repeats without end what repeats without end itself, with nothing between two rounds that
 * must be there: `(a+)+`, `(\w+\s?)*`. The same text can then be cut into rounds in exponentially many ways.
 * `(\w+,)*` is fine, and so is `(a+)?`.
 *
 * @param pattern a valid regular expression
 */
export function isExponential(pattern: string): boolean {
  try {
    return optionsOf(tokenizer(pattern)).some((option) => option.some(repeatsRepetition))
  } catch (error) {
    // Nested so deep that it cannot be looked through.
    if (error instanceof RangeError) return true
    if (!(error instanceof SyntaxError)) throw error
    // Newer syntax than the parser knows. The time limit on the search holds all the same.
    return false
  }
}

function repeatsRepetition(token: Token): boolean {
  if (token.type === types.REPETITION) {
    return (
      (isEndless(token) && optionsOf(token.value).some(isAmbiguousRound)) || repeatsRepetition(token.value)
    )
  }
  return optionsOf(token).some((option) => option.some(repeatsRepetition))
}

/** A round whose beginning and end cannot be told from the inside of it. */
function isAmbiguousRound(tokens: readonly Token[]): boolean {
  const consuming = tokens.filter((token) => token.type !== types.POSITION)
  return consuming.some(isEndless) && consuming.every((token) => isEndless(token) || isOptional(token))
}

function isEndless(token: Token): boolean {
  if (token.type === types.GROUP) return optionsOf(token).some(isAmbiguousRound)
  return token.type === types.REPETITION && token.max === Number.POSITIVE_INFINITY
}

function isOptional(token: Token): boolean {
  return token.type === types.REPETITION && token.min === 0
}

/** The alternatives of a group, each a row of tokens. */
function optionsOf(token: Token | ReturnType<typeof tokenizer>): Token[][] {
  if (token.type !== types.GROUP && token.type !== types.ROOT) return []
  return token.options ?? (token.stack ? [token.stack] : [])
}
