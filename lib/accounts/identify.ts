import type { IncomingMessage } from 'node:http'
import { isBcryptHash, isHash, isOtherHash } from '../auth/hash-pattern'
import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { notesOf } from '../http/notes'
import { labelOf } from '../labels'
import { comparePassword } from './password-hashes'
import type { IndexOf, PeopleIndex } from './people-index'

/** Why nobody is let in. */
export interface NotIdentified {
  /** A clause for the log, which holds no value that was sent. */
  readonly reason: string
  /** What an application may be told: `locked` is said to the right password alone. */
  readonly why: 'unknown' | 'password' | 'locked'
}

/** Who a body is, or why it is nobody. */
export type Identified =
  | { readonly user: User; readonly reason?: undefined }
  | ({ readonly user?: undefined } & NotIdentified)

/** How many fields of a body are looked at. */
const MOST_FIELDS = 20

/** How many hashes are compared for one body: each takes 0.1 s. */
const MOST_HASHES = 3

/** The fields of a body that are looked at: its first texts and numbers. */
function lookedAt(body: object): Field[] {
  return fieldsOf(body).slice(0, MOST_FIELDS)
}

/**
 * The fields of a body that may be the password: what it labels so, even where that is empty or, only without one, each
 * that names nobody.
 */
function passwordsIn(body: User, named: readonly Field[], fields: PersonFields): readonly Field[] {
  const sent = lookedAt(body)
  const labelled = Object.entries(body).filter(([name]) => fields.isPassword(labelOf(name)))
  if (labelled.length === 0) return sent.filter((field) => !named.some(({ name }) => name === field.name))
  const clearest = fields.passwordFieldOf(Object.fromEntries(labelled))
  return sent.filter(({ name }) => name === clearest)
}

/** One way to read a body: whom some of its fields mean, and what else in it may be the password of each. */
interface Reading {
  readonly named: readonly Field[]
  /** In the order of the data. */
  readonly users: readonly User[]
  readonly passwordsFor: (user: User) => readonly string[]
  /** Those of all. */
  readonly passwords: readonly string[]
}

interface IdentifyOptions {
  /** Whether a user without any password has whatever the body labels so. */
  anyPassword: boolean
  /** Gives the index of some people. */
  indexOf: IndexOf
}

/**
 * @param groups records each; a later group is asked where nobody in those before is the one
 * @param request that of the login, whose client may go: its notes get what is compared as a password
 */
export type Identify = (
  body: User,
  groups: readonly (readonly unknown[])[],
  request: IncomingMessage,
) => Promise<Identified>

/**
 * Makes what finds the one user whom the body of a login means. Of several who are meant, the password tells who it is,
 * because a stranger may sign up with any text as a name; a password that several of them have is that of nobody. A password
 * that is labelled so is the only one.
 */
export function makeIdentify(fields: PersonFields, { anyPassword, indexOf }: IdentifyOptions): Identify {
  /**
   * How a body can be read, of which the first that a password fits counts: by the fields whose labels decide, together;
   * only without one, by those that are labelled as a name which people share, and then by all others.
   */
  function readingsOf(body: User, index: PeopleIndex): Reading[] {
    const sent = lookedAt(body)
    const passwordsBeside = (named: readonly Field[]) =>
      passwordsIn(body, named, fields).map(({ text }) => text)
    const deciding = fields.decidingOf(sent)
    if (deciding.length > 0) {
      const passwords = passwordsBeside(deciding)
      return [{ named: deciding, users: index.meantBy(deciding), passwordsFor: () => passwords, passwords }]
    }
    const isName = ({ label }: Field) => fields.isName(label)
    const others = sent.filter((field) => !isName(field) && !fields.isPassword(field.label))
    return [sent.filter(isName), others].map((named) => {
      const naming = named.filter(({ text }) => index.named([text]).length > 0)
      const besideEach = (some: readonly Field[]) => [
        ...new Set(some.flatMap((field) => passwordsBeside([field]))),
      ]
      const passwords = besideEach(naming)
      return {
        named,
        users: index.named(naming.map(({ text }) => text)),
        passwordsFor(user) {
          if (naming.length < 2) return passwords
          const names = fields.namesOf(user)
          return besideEach(naming.filter(({ text }) => names.some((name) => name.text === text)))
        },
        passwords,
      }
    })
  }

  return async function identify(body, groups, request) {
    const passwords: string[] = []
    // The log and the journal need them where the client goes before a hash is compared.
    notesOf(request).passwords = passwords
    let hashesLeft = MOST_HASHES

    /** Those whose password the body has. Only a hash is waited for: many may share a name. */
    async function rightOf({ named, users, passwordsFor }: Reading): Promise<User[]> {
      const takesAny = anyPassword && fields.decidingOf(named).length > 0
      const right: User[] = []
      for (const user of users) {
        const given = passwordsFor(user)
        const stored = fields.passwordOf(user)
        if (isBcryptHash(stored)) {
          const compared = given.slice(0, hashesLeft)
          hashesLeft -= compared.length
          if (await isOneOf(compared, stored, request)) right.push(user)
        } else if (
          stored === '' ? takesAny && given.length > 0 && hasNone(user) : isClearPassword(stored, given)
        )
          right.push(user)
      }
      return right
    }

    let refusal: NotIdentified | undefined
    for (const people of groups) {
      const index = indexOf(people)
      for (const reading of readingsOf(body, index)) {
        passwords.push(...reading.passwords)
        const [user, other] = await rightOf(reading)
        if (user !== undefined && other === undefined) return { user }
        if (reading.users.length > 0)
          refusal ??= { reason: whyRefused(reading, other !== undefined), why: 'password' }
        if (other !== undefined) break
      }
    }
    if (refusal !== undefined) return refusal
    passwords.push(...passwordsIn(body, fields.decidingOf(lookedAt(body)), fields).map(({ text }) => text))
    return { reason: whyNobody(body, groups.map(indexOf)), why: 'unknown' }
  }

  /** Whether a user has nothing that could be a password: an empty one is one that nobody has. */
  function hasNone(user: User): boolean {
    return JSON.stringify(fields.withoutPasswords(user)) === JSON.stringify(user)
  }

  function whyRefused({ named, users, passwordsFor }: Reading, areSeveral: boolean): string {
    const by = byLabels(named.filter(({ label }) => fields.isName(label)))
    if (areSeveral) return `the password is that of several users whom the body names${by}`
    if (users.every((user) => passwordsFor(user).length === 0)) return 'the body has no password'
    if (users.length > 1)
      return `the password is that of none of the ${users.length} users whom the body names${by}`
    if (users.every((user) => isOtherHash(fields.passwordOf(user))))
      return `the password of the user whom the body names${by} is a hash that is not compared: only bcrypt's of a cost up to 15 are`
    return users.every((user) => fields.passwordFieldOf(user) === undefined && fields.passwordOf(user) === '')
      ? `the user whom the body names${by} has no password: the key login-fields can name its field, and --any-password takes any`
      : `the password is not that of the user whom the body names${by}`
  }

  /** A stranger may send any label: of those that are no name, the log says only what users have. */
  function whyNobody(body: User, indexes: readonly PeopleIndex[]): string {
    const sent = lookedAt(body)
    const names = sent.filter(({ label }) => fields.isName(label))
    const reason = `no user is the one that the body names${byLabels(names)}`
    const others = sent.filter(({ label }) => !fields.isPassword(label))
    const had =
      names.length > 0 ? [] : others.filter(({ label }) => indexes.some((index) => index.hasLabel(label)))
    return had.length === 0
      ? reason
      : `${reason}: "${had[0]?.label}" names nobody, unless the key login-fields has it among its names`
  }
}

function byLabels(fields: readonly Field[]): string {
  return fields.length === 0 ? '' : ` by ${fields.map(({ label }) => `"${label}"`).join(' and ')}`
}

/** Whether a stored password is among some texts: a hash, of whatever kind, is none. */
function isClearPassword(stored: string, texts: readonly string[]): boolean {
  return !isHash(stored) && texts.includes(stored)
}

/** Whether one of some texts is the password of a hash. */
async function isOneOf(texts: readonly string[], hash: string, request: IncomingMessage): Promise<boolean> {
  for (const text of texts) if (await comparePassword(text, hash, request)) return true
  return false
}
