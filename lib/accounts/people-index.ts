import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { isRecord } from '../is-record'
import { derived } from '../json-server/derived'

/**
 * The people of one collection by their names, and by whatever other field no two of them share. It is made once for each
 * state of the collection: to look at each of 100,000 people takes 0.1 s.
 */
export class PeopleIndex {
  readonly #people: readonly User[]
  readonly #fields: PersonFields
  readonly #byName = new Map<string, User | User[]>()
  /** Of each label, whose text it is; null where two people share it. Made where a body asks for the label. */
  readonly #byLabel = new Map<string, Map<string, User | null>>()
  #labels: ReadonlySet<string> | undefined

  constructor(people: readonly unknown[], fields: PersonFields) {
    this.#people = people.filter(isRecord)
    this.#fields = fields
    for (const user of this.#people)
      for (const text of new Set(fields.namesOf(user).map((name) => name.text))) this.#add(text, user)
  }

  /** Who has a text as a name, whatever its label. */
  named(text: string): readonly User[] {
    return [this.#byName.get(text) ?? []].flat()
  }

  /** Whether somebody has a field of this label. A stranger may send any others. */
  hasLabel(label: string): boolean {
    this.#labels ??= new Set(this.#people.flatMap((user) => fieldsOf(user).map((field) => field.label)))
    return this.#labels.has(label)
  }

  /** The one whose field of this label has the text, where no two share it. */
  known({ label, text }: Field): User | undefined {
    if (!this.hasLabel(label)) return undefined
    const known = this.#byLabel.get(label) ?? this.#textsOf(label)
    this.#byLabel.set(label, known)
    return known.get(text) ?? undefined
  }

  /**
   * Who is meant by the fields of a body that decide: who agrees in each of them that he has; if nobody, who has each of
   * their texts as any of his names.
   */
  meantBy(deciding: readonly Field[]): readonly User[] {
    const candidates = [...new Set(deciding.flatMap(({ text }) => this.named(text)))]
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

  #add(text: string, user: User): void {
    const known = this.#byName.get(text)
    this.#byName.set(text, known === undefined ? user : [known, user].flat())
  }

  #textsOf(label: string): Map<string, User | null> {
    const texts = new Map<string, User | null>()
    for (const user of this.#people)
      for (const field of fieldsOf(user))
        if (field.label === label) texts.set(field.text, texts.has(field.text) ? null : user)
    return texts
  }
}

/** Gives the index of some people, which is made once for each collection. */
export type IndexOf = (people: readonly unknown[]) => PeopleIndex

/** Makes what remembers the indexes of collections as long as they are there. */
export function makeIndexes(fields: PersonFields): IndexOf {
  const indexes = derived<PeopleIndex>()
  return (people) => indexes(people, '', () => new PeopleIndex(people, fields))
}
