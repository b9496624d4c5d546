import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { isRecord } from '../is-record'
import { derived } from '../json-server/derived'

/**
 * The people of one collection by their names. It is made once for each state of the collection: to look at each of 100,000
 * people takes 0.1 s.
 */
export class PeopleIndex {
  readonly #people: readonly User[]
  readonly #fields: PersonFields
  /** Of each name, whose it is, by their places in the data. */
  readonly #byName = new Map<string, number[]>()
  #labels: ReadonlySet<string> | undefined

  constructor(people: readonly unknown[], fields: PersonFields) {
    this.#people = people.filter(isRecord)
    this.#fields = fields
    for (const [place, user] of this.#people.entries())
      for (const text of new Set(fields.namesOf(user).map((name) => name.text))) {
        const known = this.#byName.get(text)
        if (known === undefined) this.#byName.set(text, [place])
        else known.push(place)
      }
  }

  /** Who has one of some texts as a name, whatever its label, in the order of the data. */
  named(texts: readonly string[]): User[] {
    const places = new Set(texts.flatMap((text) => this.#byName.get(text) ?? []))
    const inOrder = [...places].sort((one, other) => one - other)
    return inOrder.map((place) => this.#people[place]).filter((user) => user !== undefined)
  }

  /** Whether somebody has a field of this label. */
  hasLabel(label: string): boolean {
    this.#labels ??= new Set(this.#people.flatMap((user) => fieldsOf(user).map((field) => field.label)))
    return this.#labels.has(label)
  }

  /**
   * Who is meant by the fields of a body that decide, in the order of the data: who agrees in each of them that he has; if
   * nobody, who has each of their texts as any of his names.
   */
  meantBy(deciding: readonly Field[]): User[] {
    const candidates = this.named(deciding.map(({ text }) => text))
    const agreeing = candidates.filter((user) => {
      const names = this.#fields.namesOf(user)
      const had = deciding.filter(({ label }) => names.some((name) => name.label === label))
      const isSame = ({ label, text }: Field) =>
        names.some((name) => name.label === label && name.text === text)
      return had.length > 0 && had.every(isSame)
    })
    if (agreeing.length > 0) return agreeing
    return candidates.filter((user) => {
      const names = this.#fields.namesOf(user)
      return deciding.every(({ text }) => names.some((name) => name.text === text))
    })
  }
}

/** Gives the index of some people, which is made once for each collection. */
export type IndexOf = (people: readonly unknown[]) => PeopleIndex

/** Makes what remembers the indexes of collections as long as they are there. */
export function makeIndexes(fields: PersonFields): IndexOf {
  const indexes = derived<PeopleIndex>()
  return (people) => indexes(people, '', () => new PeopleIndex(people, fields))
}
