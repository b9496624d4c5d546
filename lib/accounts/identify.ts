import type { IncomingMessage } from 'node:http'
import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { notesOf } from '../http/notes'
import { comparePassword, whyNotCompared } from './password-hashes'
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

const NO_MORE_HASHES = `only the first ${MOST_HASHES} hashes are compared`

/** The fields of a body that are looked at: its first texts and numbers. */
function lookedAt(body: object): Field[] {
  return fieldsOf(body).slice(0, MOST_FIELDS)
}

/**
 * Gives the texts of a body that may be the password beside some of its fields: what it labels so, even where that is empty
 * or, only without one, each other field.
 */
function passwordReader(body: User, fields: PersonFields): (named: readonly Field[]) => string[] {
  const sent = lookedAt(body)
  const clearest = fields.clearestPassword(Object.keys(body))
  return (named) =>
    sent
      .filter((field) =>
        clearest === undefined ? !named.some(({ name }) => name === field.name) : field.name === clearest,
      )
      .map(({ text }) => text)
}

/** A name of a body, and what else in it may be the password of who has it. */
interface NameInBody {
  readonly text: string
  readonly passwords: readonly string[]
}

/** One way to read a body: whom some of its fields mean. */
interface Reading {
  readonly named: readonly Field[]
  /** Whoever is meant has one of them, and a password beside it. */
  readonly names: readonly NameInBody[]
  readonly isMeant: (user: User) => boolean
  /** The first who are meant, in the order of the data. */
  readonly users: readonly User[]
  /** Whether only the first are looked at. */
  readonly isCut: boolean
}

/** Who has the password, as far as that was compared. */
interface Compared {
  readonly right: ReadonlySet<User>
  /** Clauses that say what was not. */
  readonly limits: ReadonlySet<string>
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
    const passwordsBeside = passwordReader(body, fields)
    const isCut = (names: readonly NameInBody[]) => index.haveTooMany(names.map(({ text }) => text))
    const deciding = fields.decidingOf(sent)
    if (deciding.length > 0) {
      const passwords = passwordsBeside(deciding)
      const names = deciding.map(({ text }) => ({ text, passwords }))
      return [{ named: deciding, names, ...index.meantBy(deciding), isCut: isCut(names) }]
    }
    const isName = ({ label }: Field) => fields.isName(label)
    const others = sent.filter((field) => !isName(field) && !fields.isPassword(field.label))
    return [sent.filter(isName), others].map((named) => {
      const names = named
        .filter(({ text }) => index.isName(text))
        .map((field) => ({ text: field.text, passwords: passwordsBeside([field]) }))
      const users = index.named(names.map(({ text }) => text))
      return { named, names, isMeant: () => true, users, isCut: isCut(names) }
    })
  }

  return async function identify(body, groups, request) {
    const passwords: string[] = []
    // The log and the journal need them where the client goes before a hash is compared.
    notesOf(request).passwords = passwords
    let hashesLeft = MOST_HASHES

    /**
     * Those whose password the body has. A clear one is looked up, because anybody may name 100,000 people at once, and only
     * a hash is waited for.
     */
    async function rightOf({ named, names, isMeant }: Reading, index: PeopleIndex): Promise<Compared> {
      const clear = names.flatMap(({ text, passwords }) =>
        passwords.flatMap((password) => index.withPassword(text, password)),
      )
      const right = new Set(clear.filter(isMeant))
      if (anyPassword && fields.decidingOf(named).length > 0)
        for (const { text, passwords } of names)
          for (const user of passwords.length > 0 ? index.withPassword(text, '') : [])
            if (isMeant(user) && hasNone(user)) right.add(user)
      const limits = new Set<string>()
      for (const user of index.withHash(names.map(({ text }) => text)).filter(isMeant))
        if (await isHashOfOne(passwordsFor(user, names), fields.passwordOf(user), limits)) right.add(user)
      return { right, limits }
    }

    /** Whether one of some passwords is that of a hash, as far as it is compared with them. */
    async function isHashOfOne(
      given: ReadonlySet<string>,
      hash: string,
      limits: Set<string>,
    ): Promise<boolean> {
      for (const password of given) {
        const limit = whyNotCompared(password, hash) ?? (hashesLeft === 0 ? NO_MORE_HASHES : undefined)
        if (limit !== undefined) limits.add(limit)
        else {
          hashesLeft -= 1
          if (await comparePassword(password, hash, request)) return true
        }
      }
      return false
    }

    let refusal: NotIdentified | undefined
    for (const people of groups) {
      const index = indexOf(people)
      for (const reading of readingsOf(body, index)) {
        passwords.push(...new Set(reading.names.flatMap((name) => name.passwords)))
        const compared = await rightOf(reading, index)
        const [user, other] = compared.right
        if (user !== undefined && other === undefined) return { user }
        if (reading.users.length > 0) refusal ??= { reason: whyRefused(reading, compared), why: 'password' }
        if (other !== undefined) break
      }
    }
    const { reason, why } = refusal ?? { reason: whyNobody(body, groups.map(indexOf)), why: 'unknown' }
    if (why === 'unknown') passwords.push(...passwordReader(body, fields)(fields.decidingOf(lookedAt(body))))
    return { reason: reason + unreadFields(body), why }
  }

  /** What stands in a body beside any of the names of a user. */
  function passwordsFor(user: User, names: readonly NameInBody[]): ReadonlySet<string> {
    const own = fields.namesOf(user).map(({ text }) => text)
    return new Set(names.filter(({ text }) => own.includes(text)).flatMap(({ passwords }) => passwords))
  }

  /** Whether a user has nothing that could be a password: an empty one is one that nobody has. */
  function hasNone(user: User): boolean {
    return JSON.stringify(fields.withoutPasswords(user)) === JSON.stringify(user)
  }

  function whyRefused({ named, names, users, isCut }: Reading, { right, limits }: Compared): string {
    const by = byLabels(named.filter(({ label }) => fields.isName(label)))
    if (right.size > 1) return `the password is that of several users whom the body names${by}`
    if (names.every(({ passwords }) => passwords.length === 0)) return 'the body has no password'
    const limit = limits.size === 0 ? '' : `: ${[...limits].join(', and ')}`
    if (users.length > 1)
      return `the password is that of none of the ${users.length} users${isCut ? ' or more' : ''} whom the body names${by}${limit}`
    return users.every((user) => fields.passwordFieldOf(user) === undefined && fields.passwordOf(user) === '')
      ? `the user whom the body names${by} has no password: the key login-fields can name its field, and --any-password takes any`
      : `the password is not that of the user whom the body names${by}${limit}`
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

/** What is not looked at in a body, as the end of a reason. */
function unreadFields(body: object): string {
  return fieldsOf(body).length > MOST_FIELDS
    ? ` (only the first ${MOST_FIELDS} texts of it are looked at)`
    : ''
}
