import { isHash } from '../auth/hash-pattern'
import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { isRecord } from '../is-record'
import { derived } from '../json-server/derived'

/** How many people of one name are looked at, one after the other: 100,000 may have it, and each takes some us. */
const MOST_NAMESAKES = 100

/** In the place of a password, for all that are hashes: none is found by what was sent. */
const HASHED = Symbol('hashed')

/** Whom a login means by the fields that decide. */
interface Meant {
  readonly isMeant: (user: User) => boolean
  /** The first of them, in the order of the data. */
  readonly users: readonly User[]
}

/**
 * The people of one collection by their names. It is made once for each state of the collection: to look at each of 100,000
 * people takes 0.1 s. No question to it takes longer where many have the same name, because strangers may ask.
 */
export class PeopleIndex {
  readonly #people: readonly User[]
  readonly #fields: PersonFields
  /** Of each name, whose it is, by their places in the data. */
  readonly #byName = new Map<string, number[]>()
  /** Of each name that is only shared, by how many. */
  readonly #shared = new Map<string, number>()
  /** Of each name that somebody has logged in by, whose it is, by their passwords. */
  readonly #byPassword = new Map<string, ReadonlyMap<string | typeof HASHED, readonly number[]>>()
  #labels: ReadonlySet<string> | undefined

  constructor(people: readonly unknown[], fields: PersonFields) {
    this.#people = people.filter(isRecord)
    this.#fields = fields
    for (const [place, user] of this.#people.entries()) {
      const names = fields.namesOf(user)
      const own = fields.ownNamesAmong(names)
      for (const text of new Set(names.map((name) => name.text))) {
        addTo(this.#byName, text, place)
        if (!own.includes(text)) this.#shared.set(text, (this.#shared.get(text) ?? 0) + 1)
      }
    }
  }

  /** Whether somebody has a text as a name, whatever its label. */
  isName(text: string): boolean {
    return this.#byName.has(text)
  }

  /** Whether a name tells somebody from others. */
  isOwnName(text: string): boolean {
    return this.#placesOf(text).length > (this.#shared.get(text) ?? 0)
  }

  /** Whether more people have one of some names than are looked at. */
  haveTooMany(texts: readonly string[]): boolean {
    return texts.some((text) => this.#placesOf(text).length > MOST_NAMESAKES)
  }

  /** The first of each of some names, in the order of the data. */
  named(texts: readonly string[]): User[] {
    return this.#firstOf(texts.map((text) => this.#placesOf(text)))
  }

  /** Those of a name who have a text, which is no hash, as the password; an empty one for those without any. */
  withPassword(name: string, password: string): User[] {
    return this.#firstOf([this.#passwordsOf(name).get(password) ?? []])
  }

  /** Those of some names whose password is a hash, of whatever kind. */
  withHash(names: readonly string[]): User[] {
    return this.#firstOf(names.map((name) => this.#passwordsOf(name).get(HASHED) ?? []))
  }

  /** Whether somebody has a field of this label. */
  hasLabel(label: string): boolean {
    this.#labels ??= new Set(this.#people.flatMap((user) => fieldsOf(user).map((field) => field.label)))
    return this.#labels.has(label)
  }

  /**
   * Who is meant by the fields of a body that decide: who agrees in each of them that he has; if nobody, who has each of
   * their texts as any of his names.
   */
  meantBy(deciding: readonly Field[]): Meant {
    const candidates = this.named(deciding.map(({ text }) => text))
    const agrees = (user: User) => {
      const names = this.#fields.namesOf(user)
      const had = deciding.filter(({ label }) => names.some((name) => name.label === label))
      const isSame = ({ label, text }: Field) =>
        names.some((name) => name.label === label && name.text === text)
      return had.length > 0 && had.every(isSame)
    }
    const hasEach = (user: User) => {
      const names = this.#fields.namesOf(user)
      return deciding.every(({ text }) => names.some((name) => name.text === text))
    }
    const isMeant = candidates.some(agrees) ? agrees : hasEach
    return { isMeant, users: candidates.filter(isMeant) }
  }

  #placesOf(name: string): readonly number[] {
    return this.#byName.get(name) ?? []
  }

  #passwordsOf(name: string): ReadonlyMap<string | typeof HASHED, readonly number[]> {
    const known = this.#byPassword.get(name)
    if (known !== undefined || !this.isName(name)) return known ?? new Map()
    const groups = new Map<string | typeof HASHED, number[]>()
    for (const place of this.#placesOf(name)) {
      const password = this.#fields.passwordOf(this.#people[place] ?? {})
      addTo(groups, isHash(password) ? HASHED : password, place)
    }
    this.#byPassword.set(name, groups)
    return groups
  }

  /** Those at the first of each of some lists of places, in the order of the data. */
  #firstOf(lists: readonly (readonly number[])[]): User[] {
    const places = new Set(lists.flatMap((list) => list.slice(0, MOST_NAMESAKES)))
    const inOrder = [...places].sort((one, other) => one - other)
    return inOrder.map((place) => this.#people[place]).filter((user) => user !== undefined)
  }
}

function addTo<Key>(groups: Map<Key, number[]>, key: Key, place: number): void {
  const known = groups.get(key)
  if (known === undefined) groups.set(key, [place])
  else known.push(place)
}

/** Gives the index of some people, which is made once for each collection. */
export type IndexOf = (people: readonly unknown[]) => PeopleIndex

/** Makes what remembers the indexes of collections as long as they are there. */
export function makeIndexes(fields: PersonFields): IndexOf {
  const indexes = derived<PeopleIndex>()
  return (people) => indexes(people, '', () => new PeopleIndex(people, fields))
}
