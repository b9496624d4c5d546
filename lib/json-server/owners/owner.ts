import { isOwnerId, type RecordOwner } from '../../auth/user-of-token'
import type { Data } from '../../data/valid-data'
import { HttpError, UnauthorizedError } from '../../errors'
import { isRecord } from '../../is-record'
import { type StoredRecord, withClassOf } from '../collection-index'
import { derived } from '../derived'
import type { OwnerRule, OwnerRules } from './owner-rules'

/** Who sends a request. */
export interface OwnerSender {
  /** Tells who it is. */
  readonly look: () => RecordOwner
  /** Makes the error for nobody. */
  readonly unauthorized: () => HttpError
}

const groups = derived<ReadonlyMap<string | number, readonly unknown[]>>()
const seenUsers = derived<readonly unknown[]>()

/** Whose records are whose, for all requests. */
export class Ownership {
  readonly rules: OwnerRules
  /** What others see of a user, while that is stored. */
  readonly #shown = new WeakMap<object, object>()
  readonly #withoutPasswords: (user: object) => unknown

  /** @param withoutPasswords gives the fields of a user that others see */
  constructor(rules: OwnerRules, withoutPasswords: (user: object) => unknown) {
    this.rules = rules
    this.#withoutPasswords = withoutPasswords
  }

  /** The server itself, which sees and changes everything. */
  readonly server = new Owner(this, { look: () => 'all', unauthorized: () => new UnauthorizedError() })
  /** Anybody. */
  readonly nobody = new Owner(this, { look: () => undefined, unauthorized: () => new UnauthorizedError() })

  /**
   * A user as others see it, without a password.
   *
   * @param isShared whether other code may change it by hand: then nothing is remembered
   */
  shownToOthers(user: object, isShared: boolean): object {
    const known = isShared ? undefined : this.#shown.get(user)
    if (known !== undefined) return known
    const fields = this.#withoutPasswords(user)
    const isWhole = isRecord(fields) && JSON.stringify(fields) === JSON.stringify(user)
    const shown = isWhole || !isRecord(fields) ? user : withClassOf(user, fields)
    if (!isShared) this.#shown.set(user, shown)
    return shown
  }

  /**
   * The ids that records name as their owner: whoever got one of them as a new user would have these records.
   *
   * @param name a collection; none is named where it is not that of the users
   */
  namedOwners(name: string, whole: Data): ReadonlySet<string | number> {
    const named = new Set<string | number>()
    if (this.rules.get(name)?.areUsers !== true) return named
    for (const [owned, { field, areUsers }] of this.rules) {
      const records = whole[owned]
      if (areUsers || !Array.isArray(records)) continue
      for (const id of byOwner(records, field).keys()) named.add(id)
    }
    return named
  }
}

/**
 * What the sender of one request sees, and may change. Who that is, is looked for once, where it matters: a request that
 * asks for nothing of somebody costs nothing.
 */
export class Owner {
  readonly ownership: Ownership
  readonly #sender: OwnerSender
  #found: { readonly who: RecordOwner } | undefined

  constructor(ownership: Ownership, sender: OwnerSender) {
    this.ownership = ownership
    this.#sender = sender
  }

  get #who(): RecordOwner {
    this.#found ??= { who: this.#sender.look() }
    return this.#found.who
  }

  /** Those with the same key see the same. */
  get key(): string {
    const who = this.#who
    return isRecord(who) ? `user ${JSON.stringify(who.id)}` : String(who)
  }

  /**
   * What is seen of some data, made where it is asked for: of a private collection the own records, and of other users no
   * password. What has become an object is nobody's, and is not there.
   *
   * @param isShared whether other code may change the data by hand: nothing is remembered then
   */
  seen(whole: Data, isShared: boolean): Data {
    const seen = { ...whole }
    for (const [name, rule] of this.ownership.rules) {
      if (!(rule.isPrivate || rule.areUsers) || !Object.hasOwn(whole, name)) continue
      const records = whole[name]
      if (!Array.isArray(records)) {
        if (this.#who !== 'all') delete seen[name]
        continue
      }
      const get = () => {
        const value = this.#visible(records, rule, isShared)
        Object.defineProperty(seen, name, { value, enumerable: true })
        return value
      }
      Object.defineProperty(seen, name, { get, enumerable: true, configurable: true })
    }
    return seen
  }

  /**
   * Requires that somebody has logged in, where each record is somebody's: an empty list would look as if all was deleted.
   *
   * @throws HttpError 401
   */
  requireSomebody(name: string, method: string): void {
    const rule = this.ownership.rules.get(name)
    const isSignUp = rule?.areUsers === true && method === 'POST'
    if (rule?.isPrivate && !isSignUp && this.#who === undefined) throw this.#sender.unauthorized()
  }

  /**
   * Requires that a record may be changed or removed.
   *
   * @throws HttpError 401 for nobody, 403 for another
   */
  requireOwn(name: string, record: StoredRecord): void {
    const rule = this.ownership.rules.get(name)
    const who = this.#who
    if (rule === undefined || who === 'all') return
    if (who === undefined) throw this.#sender.unauthorized()
    if (isOwnedBy(record, rule.field, who.id)) return
    throw forbidden(
      ownerIn(record, rule.field) === undefined
        ? `This record belongs to nobody: it has no ${rule.field}.`
        : `This record belongs to somebody else, by its ${rule.field}.`,
    )
  }

  /**
   * Makes a new record, or what takes the place of one, the sender's own: it names the id as that is in the user's record.
   *
   * @throws HttpError 401 for nobody, 403 where it names another
   */
  take(name: string, record: StoredRecord): void {
    const rule = this.ownership.rules.get(name)
    const who = this.#who
    if (rule === undefined || rule.areUsers || who === 'all') return
    if (who === undefined) throw this.#sender.unauthorized()
    const { field } = rule
    const named = record[field] ?? undefined
    if (named !== undefined && !isOwnedBy(record, field, who.id))
      throw forbidden(`A record can only be your own: leave out ${field}, or send your own id.`)
    record[field] = who.id
  }

  #visible(
    records: readonly unknown[],
    { field, isPrivate }: OwnerRule,
    isShared: boolean,
  ): readonly unknown[] {
    if (this.#who === 'all') return records
    if (isPrivate) return this.#own(records, field, isShared)
    const make = () => records.map((user) => this.#asSeen(user, field, isShared))
    return isShared ? make() : seenUsers(records, this.key, make)
  }

  #own(records: readonly unknown[], field: string, isShared: boolean): readonly unknown[] {
    const who = this.#who
    if (!isRecord(who)) return []
    if (isShared) return records.filter((record) => isOwnedBy(record, field, who.id))
    return groups(records, field, () => byOwner(records, field)).get(idKey(who.id)) ?? []
  }

  #asSeen(user: unknown, field: string, isShared: boolean): unknown {
    const who = this.#who
    const isOwn = isRecord(who) && isOwnedBy(user, field, who.id)
    return isOwn || !isRecord(user) ? user : this.ownership.shownToOthers(user, isShared)
  }
}

function forbidden(message: string): HttpError {
  return new HttpError({ status: 403, message })
}

/** The records of each owner. One pass takes 1 ms for 10,000 records, which is spared where nothing has changed. */
function byOwner(
  records: readonly unknown[],
  field: string,
): ReadonlyMap<string | number, readonly unknown[]> {
  const found = new Map<string | number, unknown[]>()
  for (const record of records) {
    const owner = ownerIn(record, field)
    if (owner === undefined) continue
    const own = found.get(owner)
    if (own === undefined) found.set(owner, [record])
    else own.push(record)
  }
  return found
}

/** The id of a record's owner, as a key: only a text and a number are ids. */
function ownerIn(record: unknown, field: string): string | number | undefined {
  const named: unknown = isRecord(record) ? record[field] : undefined
  return isOwnerId(named) ? idKey(named) : undefined
}

function isOwnedBy(record: unknown, field: string, id: string | number): boolean {
  return ownerIn(record, field) === idKey(id)
}

/** json-server compares ids as texts: `"1"` is the user 1. To make a text of each number would take twice as long. */
export function idKey(id: string | number): string | number {
  return typeof id === 'string' && String(Number(id)) === id ? Number(id) : id
}
