import pluralize from 'pluralize'

/** By how many characters a word and its plural differ at most: "itself" and "themselves" by four. */
const MOST_DIFFERENCE = 4

/** Far more words than the foreign keys of any data have. */
const MOST_WORDS = 100_000

const plurals = new Map<string, string>()

/**
 * Whether a name is the plural of a word. A DELETE asks that for each foreign key of each record, and finding
 * a plural takes 4 us: those that are found are kept, and for what is longer or shorter none is looked for.
 */
export function isPlural(name: string, word: string): boolean {
  return Math.abs(name.length - word.length) <= MOST_DIFFERENCE && pluralOf(word) === name
}

function pluralOf(word: string): string {
  const known = plurals.get(word)
  if (known !== undefined) return known
  if (plurals.size >= MOST_WORDS) plurals.clear()
  const plural = pluralize.plural(word)
  plurals.set(word, plural)
  return plural
}
