import type { Contexts } from '../auth/contexts'
import { isHash } from '../auth/hash-pattern'
import {
  type FieldPath,
  fieldOf,
  fieldText,
  lastOf,
  type PersonFields,
  type User,
} from '../auth/person-fields'
import type { HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRecord } from '../is-record'
import type { StoredRecord } from '../json-server/collection-index'
import type { Addition, RecordChange, RecordRules, StoredChange } from '../json-server/record-rules'
import { labelOf } from '../labels'
import { valueAt, withoutValueAt, withValueAt } from '../value-at'
import type { AccountSettings } from './account-settings'
import {
  NEEDED,
  passwordIn,
  refuseFields,
  refuseOtherRepeated,
  requiredField,
  takenNames,
  withoutRepeated,
} from './new-user'
import { hashPassword } from './password-hashes'
import type { IndexOf } from './people-index'

interface PersonRulesOptions {
  settings: Pick<AccountSettings, 'fields' | 'loginUsers' | 'personRefusal'>
  indexOf: IndexOf
  contexts: Contexts
  /** Logins beside the stored users. */
  logins: readonly User[]
}

/**
 * What is stored of those who log in, by whatever path a request comes to them. Where a password is stored as a hash, a new
 * one is stored as one, too; and one stays where a change brings none, because applications send back the user that the
 * login gave them. Other rules see the password as text.
 */
export class PersonRules implements RecordRules {
  readonly #request: HttpRequest
  readonly #rules: RecordRules
  readonly #options: PersonRulesOptions
  readonly #fields: PersonFields
  /** Whether people had hashes before the request: a list of new ones is looked at once. */
  #hadHashes: boolean | undefined

  /** @param rules those for all records */
  constructor(request: HttpRequest, rules: RecordRules, options: PersonRulesOptions) {
    this.#request = request
    this.#rules = rules
    this.#options = options
    this.#fields = options.settings.fields
  }

  add(addition: Addition): StoredRecord {
    const { name, collection, sent } = addition
    if (name !== this.#options.settings.loginUsers) return this.#rules.add(addition)
    const isHashed = this.#peopleHaveHashes(collection)
    this.#note(sent, {}, undefined)
    const record = this.#rules.add(addition)
    return isHashed ? this.#hashed(record, {}, undefined) : record
  }

  change(change: RecordChange): StoredRecord {
    const { name, collection, before, isPartial } = change
    if (name !== this.#options.settings.loginUsers || collection === undefined)
      return this.#rules.change(change)
    const place = this.#fields.passwordPathOf(before)
    const stored = textAt(before, place)
    this.#note(change.sent, before, place)
    const sent = this.#typedOnce(place === undefined ? change.sent : this.#withPassword(change, place))
    const merged = isPartial ? { ...before, ...sent } : sent
    if (this.#isOwnChange) this.#refuseNoName(merged, before)
    if (this.#isOwnChange || isHash(stored)) this.#refuseNameOfAnother(merged, before, collection)
    const record = this.#rules.change({ ...change, sent })
    const isHashed = stored === '' ? this.#peopleHaveHashes(collection) : isHash(stored)
    return isHashed ? this.#hashed(record, before, place) : record
  }

  stored(change: StoredChange): void {
    this.#rules.stored(change)
  }

  #peopleHaveHashes(people: readonly unknown[]): boolean {
    this.#hadHashes ??= haveHashes(people, this.#fields)
    return this.#hadHashes
  }

  /** Whether the request was led to the own record of whoever sends it. */
  get #isOwnChange(): boolean {
    return this.#options.contexts.of(this.#request).showOwn !== undefined
  }

  /**
   * What was sent, with the password in the place of the one before, or with that where none was sent.
   *
   * @param place where the password is
   */
  #withPassword({ before, sent: given, isPartial }: RecordChange, place: FieldPath): StoredRecord {
    // An empty password is none: a form has such fields for one that its person has not typed.
    const isEmpty = (name: string) => this.#fields.isPassword(labelOf(name)) && fieldOf(given, name) === ''
    const sent = Object.fromEntries(Object.entries(given).filter(([name]) => !isEmpty(name)))
    const [top = '', ...inside] = place
    // Of an object that is changed in part, the rest stays.
    const whole = isPartial && inside.length > 0 ? { [top]: before[top], ...sent } : sent
    const brought = this.#broughtTo(place, whole, before)
    const stored = textAt(before, place)
    if (brought === undefined)
      return stored === '' ? given : withValueAt(whole, place, valueAt(before, place))
    this.#noteTexts([textAt(whole, brought)])
    if (!this.#countsBeside(brought, place)) return sent
    return withValueAt(withoutValueAt(whole, brought), place, valueAt(whole, brought))
  }

  /**
   * What was sent, without a password where it was typed again.
   *
   * @throws HttpError 400 where people change their own record, and it is not the same there
   */
  #typedOnce(sent: StoredRecord): StoredRecord {
    const password = passwordIn(sent, this.#fields)
    if (password === undefined) return sent
    if (this.#isOwnChange) refuseOtherRepeated(sent, password, this.#options.settings.personRefusal)
    return withoutRepeated(sent, password, this.#fields)
  }

  /** Whether a password counts even where another one is brought under its label: that one must take its place. */
  #countsBeside(brought: FieldPath, place: FieldPath): boolean {
    if (brought === place) return false
    // In an object it counts in any case; a field without a label, which is known by its hash alone, never does.
    const clearest = this.#fields.clearestPassword([place, brought].map(lastOf))
    return place.length > 1 || clearest === lastOf(place)
  }

  /** Where a record has a new password: at its place, or under the clearest label beside that, or at the top. */
  #broughtTo(place: FieldPath, record: StoredRecord, before: StoredRecord): FieldPath | undefined {
    const objects = place.length > 1 ? [place.slice(0, -1), []] : [[]]
    const others = objects
      .flatMap((path) => Object.keys(recordAt(record, path)).map((name) => [...path, name]))
      .filter((path) => textAt(before, path) === '')
    const brought = [place, ...others].filter((path) => isNewAt(record, before, path))
    const clearest = this.#fields.clearestPassword(brought.map(lastOf))
    return brought.find((path) => lastOf(path) === clearest) ?? brought.find((path) => path === place)
  }

  /** The log and the journal need what was sent, whatever its field is called. */
  #note(sent: StoredRecord, before: StoredRecord, place: FieldPath | undefined): void {
    const texts = [place, this.#fields.passwordPathOf(sent)]
      .filter((path) => path !== undefined)
      .filter((path) => isNewAt(sent, before, path))
      .map((path) => textAt(sent, path))
    this.#noteTexts(texts)
  }

  #noteTexts(texts: readonly string[]): void {
    const notes = notesOf(this.#request)
    notes.passwords = [...new Set([...(notes.passwords ?? []), ...texts])]
  }

  /**
   * Refuses to leave people without a name who change their own record: they could not log in any more.
   *
   * @throws HttpError 400
   */
  #refuseNoName(record: StoredRecord, before: StoredRecord): void {
    const { fields, personRefusal } = this.#options.settings
    const had = fields.namesOf(before)
    const isNobody =
      fields.decidingOf(had).length > 0 ? !fields.namesSomebody(record) : fields.namesOf(record).length === 0
    if (had.length > 0 && isNobody)
      throw refuseFields(personRefusal, [requiredField(fields.missingName(record))], NEEDED)
  }

  /**
   * Refuses to give a person the name of another: a password that both have would be that of nobody, and of those whose
   * passwords are hashes a login compares few, so that the other might not be among them.
   *
   * @throws HttpError 409
   */
  #refuseNameOfAnother(record: StoredRecord, person: StoredRecord, people: readonly unknown[]): void {
    const { indexOf, logins, settings } = this.#options
    const taken = takenNames(record, [people, logins], { fields: this.#fields, indexOf, before: person })
    if (taken.length > 0)
      throw settings.personRefusal.refuse(taken, {
        status: 409,
        message: 'This name is that of somebody else: send another.',
      })
  }

  /** A record with hashes in the place of new passwords, and of any second one at its top that is called so. */
  #hashed(record: StoredRecord, before: StoredRecord, place: FieldPath | undefined): StoredRecord {
    const called = Object.keys(record).filter((name) => this.#fields.isPassword(labelOf(name)))
    let hashed = record
    for (const path of [this.#fields.passwordPathOf(record), place, ...called.map((name) => [name])]) {
      if (path === undefined || !isNewAt(record, before, path)) continue
      const text = textAt(hashed, path)
      if (text === '' || isHash(text)) continue
      hashed = this.#replaced(hashed, path, text, this.#hashOf(text, path))
    }
    return hashed
  }

  /** @throws HttpError 400 for a password that is too long for a hash */
  #hashOf(password: string, path: FieldPath): string {
    const hash = hashPassword(password)
    if (hash !== undefined) return hash
    const field = path.join('.')
    throw refuseFields(
      this.#options.settings.personRefusal,
      [{ field, message: `${field} must not be longer than 72 bytes` }],
      'the password is longer than 72 bytes',
    )
  }

  /** A record with a hash in the place of a password, and without that where it was typed twice. */
  #replaced(
    record: StoredRecord,
    [name = '', ...inside]: FieldPath,
    text: string,
    hash: string,
  ): StoredRecord {
    const once = withoutRepeated(record, { name, label: labelOf(inside.at(-1) ?? name), text }, this.#fields)
    const inner = once[name]
    return { ...once, [name]: isRecord(inner) ? this.#replaced(inner, inside, text, hash) : hash }
  }
}

/** The object at a place; an empty one where there is none. */
function recordAt(record: StoredRecord, place: FieldPath): object {
  const found = valueAt(record, place)
  return isRecord(found) ? found : {}
}

/** The text at a place; empty where there is none. */
function textAt(record: StoredRecord, place: FieldPath | undefined): string {
  return place === undefined ? '' : fieldText(valueAt(record, place))
}

/** Whether a record brings a text to a place. */
function isNewAt(record: StoredRecord, before: StoredRecord, place: FieldPath): boolean {
  const text = textAt(record, place)
  return text !== '' && text !== textAt(before, place)
}

/** How many users are looked at for a hash: 100,000 would take 0.4 s at each sign-up. */
const MOST_USERS = 1000

/** Whether one of the users has a hash in the place of a password. */
function haveHashes(users: readonly unknown[], fields: PersonFields): boolean {
  const some = users.slice(0, MOST_USERS).filter(isRecord)
  return some.some((user) => isHash(fields.passwordOf(user)))
}
