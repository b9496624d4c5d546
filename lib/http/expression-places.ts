/** A place in a regular expression that takes one character of a text. */
export interface Place {
  /** The characters that it takes, of those that a target can have: Node gives its bytes (Latin-1). */
  readonly takes: ReadonlySet<string>
  /** The places that can have taken the character before: one twice, where two ways lead from it. */
  readonly before: Place[]
  /** Those that can take the next character. */
  readonly next: Place[]
  /** The outermost endless repetition that holds the place; an object of its own where there is none. */
  loop: object
}

/** A part of an expression: where a text can begin and end in it. */
interface Part {
  readonly first: readonly Place[]
  readonly last: readonly Place[]
  readonly canBeEmpty: boolean
}

const EMPTY: Part = { first: [], last: [], canBeEmpty: true }

/** One character, or a class of them, and the text that must not be there. */
const CHARACTER =
  /(?:\(\?!(?:\\\W|[^\\()[\]{}.*+?|^$])+\))?(?:\.|\\[dDsSwW]|\\\W|\[(?:\\.|[^\]\\])*\]|[^\\()[\]{}.*+?|^$])/y
/** What takes no character. To leave it out adds ways, and takes none away. */
const ASSERTION = /\^|\$|\(\?=\$\)/y
const REPETITION = /([*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??/y
const GROUP = /\((?:\?:)?/y
const GROUP_END = /\)/y
const OR = /\|/y
const AT_END = /[|)]/

/** Each on a line of its own, so that none is looked at together with the next. */
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('\n')

/** Nobody writes a longer rule by hand, and each place is compared with others. */
const MOST_PLACES = 500

/**
 * The places of a regular expression in their order, and the ways from one to the next (Glushkov's
 * construction). The first is its beginning, which takes nothing.
 *
 * @param source of an expression with the flag `i` alone
 * @throws SyntaxError for what this does not read: a reference to a group, a word boundary, most assertions,
 *   and what can be empty in two ways, because a comparison tries both
 */
export function readPlaces(source: string): readonly Place[] {
  const start = placeOf(new Set())
  const places = [start]
  let position = 0
  connect([start], readAlternatives().first)
  if (position < source.length) throw unreadable()
  return places

  function unreadable(): SyntaxError {
    return new SyntaxError(`it is not certain that no path blocks the server in ${source.slice(position)}`)
  }

  /** Reads what is expected, if it is there. */
  function take(expected: RegExp): string | undefined {
    expected.lastIndex = position
    const [found] = expected.exec(source) ?? []
    position += found?.length ?? 0
    return found
  }

  function readAlternatives(): Part {
    let all = readSequence()
    while (take(OR)) {
      const part = readSequence()
      if (all.canBeEmpty && part.canBeEmpty) throw unreadable()
      all = {
        first: [...all.first, ...part.first],
        last: [...all.last, ...part.last],
        canBeEmpty: all.canBeEmpty || part.canBeEmpty,
      }
    }
    return all
  }

  function readSequence(): Part {
    let all = EMPTY
    while (position < source.length && !AT_END.test(source.charAt(position))) {
      const part = readRepeated()
      connect(all.last, part.first)
      all = {
        first: all.canBeEmpty ? [...all.first, ...part.first] : all.first,
        last: part.canBeEmpty ? [...all.last, ...part.last] : part.last,
        canBeEmpty: all.canBeEmpty && part.canBeEmpty,
      }
    }
    return all
  }

  /** Reads a part as if it was written as often as its repetition says. */
  function readRepeated(): Part {
    const begin = position
    let firstPlace = places.length
    let part = readPart()
    const repetition = take(REPETITION)
    if (repetition === undefined) return part
    const end = position
    const { least, most, isEndless } = boundsOf(repetition)
    if (part.canBeEmpty || most === 0) throw unreadable()
    const { first } = part
    let last = part.last
    for (let count = 2; count <= most; count += 1) {
      position = begin
      firstPlace = places.length
      const copy = readPart()
      connect(part.last, copy.first)
      last = count > least ? [...last, ...copy.last] : copy.last
      part = copy
    }
    position = end
    if (isEndless) {
      connect(part.last, part.first)
      const loop = {}
      for (const place of places.slice(firstPlace)) place.loop = loop
    }
    return { first, last, canBeEmpty: least === 0 }
  }

  function readPart(): Part {
    const character = take(CHARACTER)
    if (character !== undefined) {
      const place = placeOf(charactersOf(character))
      if (places.push(place) > MOST_PLACES) throw unreadable()
      return { first: [place], last: [place], canBeEmpty: false }
    }
    if (take(ASSERTION)) return EMPTY
    if (!take(GROUP)) throw unreadable()
    const group = readAlternatives()
    if (!take(GROUP_END)) throw unreadable()
    return group
  }
}

/** Rules have many letters and few classes in common. */
const known = new Map<string, ReadonlySet<string>>()

function charactersOf(source: string): ReadonlySet<string> {
  const characters = known.get(source) ?? new Set(CHARACTERS.match(new RegExp(source, 'gi')))
  known.set(source, characters)
  return characters
}

function placeOf(takes: ReadonlySet<string>): Place {
  return { takes, before: [], next: [], loop: {} }
}

function connect(places: readonly Place[], next: readonly Place[]): void {
  for (const place of places) place.next.push(...next)
  for (const place of next) place.before.push(...places)
}

/** How often a part is there at least, how often it is written to read it so often, and whether the last goes on. */
function boundsOf(repetition: string): { least: number; most: number; isEndless: boolean } {
  const [, sign = '', from = '', comma, to = ''] = /^([*+?]?)\{?(\d*)(,?)(\d*)/.exec(repetition) ?? []
  const least = sign === '' ? Number(from) : Number(sign === '+')
  const isEndless = sign === '*' || sign === '+' || (comma === ',' && to === '')
  const most = isEndless || sign === '?' ? Math.max(least, 1) : Number(comma === ',' ? to : from)
  return { least, most, isEndless }
}
