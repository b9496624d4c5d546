import pluralize from 'pluralize'

/** The greatest difference in length between a word and its plural: that of "itself" and "themselves". */
const MOST_DIFFERENCE = 4

/** Far more words than the foreign keys of any data have. */
const MOST_WORDS = 100_000

const plurals = new Map<string, string>()

/**
 * Whether a name is the plural of a word. A DELETE asks this for each foreign key of each record, and finding
 * a plural takes 4 us, so plurals are cached, and names that are too long or too short are not tried.
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
