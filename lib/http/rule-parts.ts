/** For each position in a URL, and for its end, 1 if something can begin or end there. */
export type Positions = Uint8Array

/** The ways in which a part of a pattern can match a part of a URL. */
interface Ways {
  /** Where the part can begin so that it, and all parts behind it, match. */
  beginnings: Positions
  /**
   * Takes the part at a position, as the library would.
   *
   * @param position one of the beginnings
   * @returns where the library lets the part begin, unless it is left out, and end
   */
  take(position: number): { begin?: number; end: number }
}

/** A part of a rewrite rule's pattern. */
export interface Part {
  /** The name of a parameter; undefined for a text. */
  readonly name?: string
  /** The text of a part that is nothing else, in lower case; undefined for a parameter. */
  readonly text?: string
  /**
   * Finds where the part can stand in a URL.
   *
   * @param url in lower case, because rules do not distinguish cases
   * @param next where the next part can begin
   */
  find(url: string, next: Positions): Ways
}

/** A text, which stands for itself. */
export function textPart(written: string): Part {
  const text = written.toLowerCase()
  return {
    text,
    find: (url, next) => {
      const beginnings = new Uint8Array(next.length)
      for (let at = url.indexOf(text); at >= 0; at = url.indexOf(text, at + 1))
        beginnings[at] = next[at + text.length] ?? 0
      return { beginnings, take: (position) => ({ begin: position, end: position + text.length }) }
    },
  }
}

/** `*` takes as many characters as possible, whatever they are. */
export function wildcardPart(name: string): Part {
  return {
    name,
    find: (_url, next) => {
      const end = next.lastIndexOf(1)
      const beginnings = new Uint8Array(next.length).fill(1, 0, end + 1)
      return { beginnings, take: (position) => ({ begin: position, end }) }
    },
  }
}

/** How a parameter is written: `:name`, `:name?`, `:name+` or `:name*`. */
interface ParameterForm {
  readonly name: string
  /** A slash or a dot that is left out with the parameter; or nothing. */
  readonly prefix: string
  /** What ends a value. */
  readonly delimiter: string
  /** The text between the last parameter and this one, if any: a value is that text, or does not hold it. */
  readonly separator: string
  readonly isOptional: boolean
  readonly isRepeated: boolean
  /** Whether a repeated one is a list of values with delimiters between them, and not one run. */
  readonly isList: boolean
}

/** Where no value can end. */
const NOWHERE = -1

/** `:name` takes a value, which grows in one way only, so that each position is looked at only once. */
export function parameterPart(form: ParameterForm): Part {
  const { name, prefix, delimiter, isOptional, isRepeated, isList } = form
  const separator = form.separator.toLowerCase()
  const hasSeparator = (url: string, position: number) =>
    separator !== '' && url.startsWith(separator, position)
  /** Whether a value that begins here is the separator alone. */
  const isComplete = (url: string, begin: number) => !isRepeated && hasSeparator(url, begin)
  /** The end of the shortest value. */
  const shortest = (url: string, begin: number) => {
    if (hasSeparator(url, begin)) return begin + separator.length
    return begin < url.length && url[begin] !== delimiter ? begin + 1 : NOWHERE
  }
  const isBetween = (url: string, end: number) => isRepeated && isList && url[end] === delimiter
  /** The end of the next longer value. */
  const longer = (url: string, end: number) => {
    if (isComplete(url, end)) return NOWHERE
    return shortest(url, isBetween(url, end) ? end + 1 : end)
  }
  /** Whether the library tries a longer value before it lets one end here. */
  const isGreedy = (url: string, end: number) => isRepeated && (!isList || isBetween(url, end))

  return {
    name,
    find: (url, next) => {
      /** The positions at which a value can end, or from which it can grow to an end. */
      const ends = next.slice()
      for (let end = url.length - 1; end >= 0; end -= 1) if (ends[longer(url, end)]) ends[end] = 1
      const canTake = (position: number) => {
        if (prefix !== '' && url[position] !== prefix) return false
        const begin = position + prefix.length
        return Boolean((isComplete(url, begin) ? next : ends)[shortest(url, begin)])
      }
      const beginnings = new Uint8Array(next.length)
      for (let position = 0; position < next.length; position += 1)
        if ((isOptional && next[position]) || canTake(position)) beginnings[position] = 1
      const take = (position: number) => {
        if (!canTake(position)) return { end: position }
        const begin = position + prefix.length
        let end = shortest(url, begin)
        while (!isComplete(url, begin) && (!next[end] || isGreedy(url, end)) && ends[longer(url, end)])
          end = longer(url, end)
        return { begin, end }
      }
      return { beginnings, take }
    },
  }
}
