import type { Contexts } from '../auth/contexts'
import { isHash } from '../auth/hash-pattern'
import { type FieldPath, fieldOf, fieldText, type PersonFields } from '../auth/person-fields'
import { HttpError } from '../errors'
import type { HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRecord } from '../is-record'
import type { StoredRecord } from '../json-server/collection-index'
import {
  type Addition,
  NotReady,
  type RecordChange,
  type RecordRules,
  type StoredChange,
} from '../json-server/record-rules'
import { labelOf } from '../labels'
import { valueAt, withValueAt } from '../value-at'
import type { AccountSettings } from './account-settings'
import { ownNamesOf, withoutRepeated } from './new-user'
import { hashPassword } from './password-hashes'
import type { IndexOf } from './people-index'

interface PersonRulesOptions {
  settings: Pick<AccountSettings, 'fields' | 'loginUsers'>
  indexOf: IndexOf
  contexts: Contexts
}

/**
 * What is stored of those who log in, by whatever path a request comes to them. Where a password is stored as a hash, a new
 * one is stored as one, too; and one stays where a change brings none, because applications send back the user that the
 * login gave them. Other rules see the password as it was sent.
 */
export class PersonRules implements RecordRules {
  readonly #request: HttpRequest
  readonly #rules: RecordRules
  readonly #options: PersonRulesOptions
  readonly #fields: PersonFields

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
    this.#note(sent, this.#fields.passwordPathOf(sent))
    const record = this.#rules.add(addition)
    return haveHashes(collection, this.#fields)
      ? this.#hashed(record, this.#fields.passwordPathOf(record))
      : record
  }

  change(change: RecordChange): StoredRecord {
    const { name, collection, before, isPartial } = change
    if (name !== this.#options.settings.loginUsers || collection === undefined)
      return this.#rules.change(change)
    const place = this.#fields.passwordPathOf(before)
    const sent = this.#withPassword(change, place)
    this.#note(sent, place, this.#fields.passwordPathOf(sent))
    const stored = this.#fields.passwordOf(before)
    const isOwn = this.#options.contexts.of(this.#request).showOwn !== undefined
    if (isOwn || isHash(stored))
      this.#refuseNameOfAnother(isPartial ? { ...before, ...sent } : sent, before, collection)
    const record = this.#rules.change({ ...change, sent })
    const isHashed = stored === '' ? haveHashes(collection, this.#fields) : isHash(stored)
    return isHashed ? this.#hashed(record, this.#fields.passwordPathOf(record), place) : record
  }

  stored(change: StoredChange): void {
    this.#rules.stored(change)
  }

  /** What these rules would not store has been refused by now, and costs no hash. */
  end(): void {
    this.#rules.end()
    hashesOf.get(this.#request)?.requireAll()
  }

  /**
   * What was sent, with the password that there is where it would go away: one that is empty takes nobody's place.
   *
   * @param place where the password is
   */
  #withPassword(change: RecordChange, place: FieldPath | undefined): StoredRecord {
    const { before, sent, isPartial } = change
    if (place === undefined) return sent
    const given = this.#inPlace(change, place)
    const whole = (fields: StoredRecord) => (isPartial ? { ...before, ...fields } : fields)
    const next = whole(given)
    // A password under another label is a new one, unless it stood there beside the one that counted.
    const other = this.#fields.passwordPathOf(next)
    const hasOther = textAt(next, other) !== '' && textAt(next, other) !== textAt(before, other)
    const isBrought = hasOther || textAt(next, place) !== ''
    const kept = isBrought ? given : withValueAt(given, place, valueAt(before, place))
    const isHidden = this.#fields.passwordOf(whole(kept)) === '' && textAt(before, place) !== ''
    if (!isHidden) return kept
    // An empty field with a clearer label would be the password.
    const isEmpty = (name: string) => this.#fields.isPassword(labelOf(name)) && fieldOf(kept, name) === ''
    return Object.fromEntries(Object.entries(kept).filter(([name]) => !isEmpty(name)))
  }

  /** What was sent: a new password beside the object that holds the one before, as a login has it, goes into that. */
  #inPlace({ before, sent, isPartial }: RecordChange, place: FieldPath): StoredRecord {
    const [top = '', ...inside] = place
    const name = this.#fields.passwordFieldOf(sent)
    if (inside.length === 0 || name === undefined || !this.#fields.isPassword(labelOf(name))) return sent
    if (fieldOf(sent, name) === '' || sent[name] === before[name]) return sent
    const { [name]: password, ...rest } = sent
    return withValueAt(isPartial ? { [top]: before[top], ...rest } : rest, place, password)
  }

  /** The log and the journal need what was sent, whatever its field is called. */
  #note(sent: StoredRecord, ...places: readonly (FieldPath | undefined)[]): void {
    const notes = notesOf(this.#request)
    const texts = places.map((place) => textAt(sent, place)).filter((text) => text !== '')
    notes.passwords = [...new Set([...(notes.passwords ?? []), ...texts])]
  }

  /**
   * Refuses to give a person the name of another: a password that both have would be that of nobody, and of those whose
   * passwords are hashes a login compares few, so that the other might not be among them.
   *
   * @throws HttpError 409
   */
  #refuseNameOfAnother(record: StoredRecord, person: StoredRecord, people: readonly unknown[]): void {
    const own = new Set(this.#fields.namesOf(person).map(({ text }) => text))
    const names = this.#fields.namesOf(record).filter(({ text }) => !own.has(text))
    const isTaken = ownNamesOf(names, this.#fields).some(({ text }) =>
      this.#options
        .indexOf(people)
        .named([text])
        .some((user) => user !== person),
    )
    if (isTaken)
      throw new HttpError({ status: 409, message: 'This name is that of somebody else: send another.' })
  }

  /** A record with hashes at some places, of which the first counts, where there are other texts. */
  #hashed(record: StoredRecord, ...places: readonly (FieldPath | undefined)[]): StoredRecord {
    let hashed = record
    for (const place of places) {
      const text = textAt(hashed, place)
      const hash = text === '' || isHash(text) ? undefined : this.#hashOf(text)
      if (place !== undefined && hash !== undefined) hashed = this.#replaced(hashed, place, text, hash)
    }
    return hashed
  }

  /** The hash of a password; undefined where it is still to be made. */
  #hashOf(password: string): string | undefined {
    const hashes = hashesOf.get(this.#request) ?? new RequestHashes(this.#request)
    hashesOf.set(this.#request, hashes)
    return hashes.of(password)
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

/** The text at a place; empty where there is none. */
function textAt(record: StoredRecord, place: FieldPath | undefined): string {
  return place === undefined ? '' : fieldText(valueAt(record, place))
}

/** How many users are looked at for a hash: 100,000 would take 0.1 s at each sign-up. */
const MOST_USERS = 1000

/** Whether one of the users has a hash in the place of a password. */
function haveHashes(users: readonly unknown[], fields: PersonFields): boolean {
  const some = users.slice(0, MOST_USERS).filter(isRecord)
  return some.some((user) => isHash(fields.passwordOf(user)))
}

/** Hashes of the passwords that one request brings. */
class RequestHashes {
  readonly #request: HttpRequest
  readonly #made = new Map<string, string>()
  readonly #missing = new Set<string>()

  constructor(request: HttpRequest) {
    this.#request = request
  }

  /** The hash of a password; undefined where it is still to be made. */
  of(password: string): string | undefined {
    const hash = this.#made.get(password)
    if (hash === undefined) this.#missing.add(password)
    return hash
  }

  /** @throws NotReady where one is still to be made */
  requireAll(): void {
    if (this.#missing.size > 0) throw new NotReady(() => this.#make())
  }

  async #make(): Promise<void> {
    for (const password of this.#missing) {
      this.#made.set(password, await hashPassword(password, this.#request))
      this.#missing.delete(password)
    }
  }
}

/** Those of each request, which is looked at again when they are there. */
const hashesOf = new WeakMap<HttpRequest, RequestHashes>()
