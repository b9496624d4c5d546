import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Database } from 'json-server'
import type { Access } from '../auth/access'
import type { SessionCheck } from '../auth/authentication'
import type { Contexts } from '../auth/contexts'
import type { DataSource } from '../data/data-source'
import type { Saved } from '../data/states'
import { collectionIn, type Data } from '../data/valid-data'
import { asksForStream } from '../http/event-stream'
import type { HttpRequest } from '../http/handler'
import { notesOf } from '../http/notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { CollectionIndex, type StoredRecord } from './collection-index'
import { type OpenDatabase, openDatabase } from './database'
import { checkBody, checkContent } from './guards'
import { Owner, type OwnerSender, type Ownership } from './owners/owner'
import type { PublicCollection, StreamPublic } from './public-collection'
import { PLAIN_RULES, type RecordRules, type SentBody } from './record-rules'
import { isSentAsText, isSentByOthers, responseWith } from './response'
import type { Routing } from './routing'
import { askAgain } from './streams/ask-again'
import { Streams } from './streams/streams'
import { Transaction, type TransactionOptions } from './transaction'

interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Whether a DELETE also removes the records that refer to the one that it names. */
  cascade: boolean
  /** Asked whether whoever listens to changes may still hear them. */
  access: Access
  /** Refuses tokens of this data. */
  sessionCheck: SessionCheck
  /** That of all data that is served with the same options. */
  routing: Routing
  /** What the server knows of each request, such as how the own record is sent. Default: nothing. */
  contexts?: Contexts
  /** Whose records are whose, and who sends a request. Default: everything is everybody's. */
  owners?: { readonly ownership: Ownership; readonly senderOf: (request: Request) => OwnerSender } | undefined
  /** Called when a request has stored a record of a collection. Default: nothing happens. */
  onStored?: TransactionOptions['onStored']
  /** Makes the rules for what a request sends. Default: all of it is stored, as in json-server. */
  recordRules?: ((sent: SentBody) => RecordRules) | undefined
  /** Makes of these the rules for a request that know of those who log in. Default: they are records as any other. */
  personRules?: ((request: HttpRequest, rules: RecordRules) => RecordRules) | undefined
}

/** The rules for several records, each of which is looked at as it was sent. */
function rulesForEach(records: readonly unknown[], rulesFor: (sent: SentBody) => RecordRules): RecordRules {
  const asSent = new Map(records.map((record) => [record, isRecord(record) ? { ...record } : {}]))
  const one = rulesFor({ isForm: false, fields: {} })
  return {
    add(addition) {
      const fields = asSent.get(addition.sent) ?? {}
      return rulesFor({ isForm: false, fields }).add(addition)
    },
    change: (change) => one.change(change),
    stored: (change) => one.stored(change),
  }
}

/** The types of bodies that have nothing but texts. */
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/**
 * The generic resource layer: json-server's routers over whatever data there is at the moment, and the wait until
 * a change is durable.
 */
export class Resources {
  readonly #data: DataSource
  /** The database of code that is not ours, once it has asked for it. */
  #database: OpenDatabase | undefined
  readonly #streams: Streams
  readonly #toldOfTextIds = new Set<string>()

  readonly #options: ResourcesOptions

  constructor(options: ResourcesOptions) {
    this.#options = options
    this.#data = options.data
    this.#streams = new Streams(options.data, () => this.#idProperty)
  }

  /** json-server's own database over the data, for code that is not ours. */
  get database(): Database {
    this.#data.share()
    this.#database ??= openDatabase(this.#data, this.#options.idProperty)
    return this.#database.database
  }

  /** What anybody sees of a collection. */
  #publicIn({ state, isShared }: DataState, name: string): readonly unknown[] | undefined {
    const { owners } = this.#options
    const records = collectionIn(owners?.ownership.nobody.seen(state, isShared) ?? state, name)
    return isShared ? records && [...records] : records
  }

  /** One collection as the public reads see it. */
  collection(name: string): PublicCollection {
    const records = () => this.#publicIn(this.#data, name)
    const loaded = () => this.#publicIn({ state: this.#data.loaded, isShared: false }, name)
    return { records, loaded, find: (id) => this.#find(records(), id) }
  }

  /** Sends streams of one collection to whoever asks. */
  streamPublic(name: string): StreamPublic {
    return (response, { look, ...view }) => {
      const lookAt = (saved: Saved) => {
        const records = this.#publicIn({ state: saved.state, isShared: false }, name)
        const loaded = this.#publicIn({ state: saved.loaded, isShared: false }, name)
        return look({ records: () => records, loaded: () => loaded, find: (id) => this.#find(records, id) })
      }
      return this.#streams.begin(response, { ...view, look: lookAt }, () => true)
    }
  }

  /** A number finds only that number, even if another record has its digits. */
  #find(records: readonly unknown[] = [], id: string | number): unknown {
    const found = new CollectionIndex(records, this.#idProperty).find(id)
    const isSame = (record: unknown) => isRecord(record) && record[this.#idProperty] === id
    return typeof id === 'string' || found === undefined || isSame(found) ? found : records.find(isSame)
  }

  /** A user's middleware may set another one, as with json-server. */
  get #idProperty(): string {
    return this.#database?.database._.id ?? this.#options.idProperty
  }

  /**
   * Adds a record, as a POST to its collection does.
   *
   * @param make makes it of the newest records, at once
   * @param request that has sent it
   * @returns the record with its id, when it is durable; undefined where there is no such collection
   * @throws HttpError for a record that cannot be stored, and where it could not be saved; whatever `make` throws
   */
  async add(
    name: string,
    make: (records: readonly unknown[]) => object,
    request: HttpRequest,
  ): Promise<StoredRecord | undefined> {
    await this.#data.refresh()
    const records = this.#data.records(name)
    if (records === undefined) return undefined
    const record: StoredRecord = { ...make(records) }
    const transaction = this.#beginTransaction(checkContent, {
      rules: this.#rulesFor(request, record),
      owner: this.#options.owners?.ownership.server,
    })
    const stored = transaction.add(name, record)
    await this.#commit(transaction.whole)
    return stored
  }

  /** The rules for a body; undefined where all of it is stored. */
  #rulesFor(request: HttpRequest, body: unknown): RecordRules | undefined {
    const rules = this.#rulesForBody(request, body)
    return this.#options.personRules?.(request, rules ?? PLAIN_RULES) ?? rules
  }

  #rulesForBody(request: HttpRequest, body: unknown): RecordRules | undefined {
    const { recordRules } = this.#options
    if (recordRules === undefined) return undefined
    if (Array.isArray(body)) return rulesForEach(body, recordRules)
    if (!isRecord(body)) return undefined
    const isForm = FORM.test(request.headers['content-type'] ?? '')
    return recordRules({ isForm, fields: { ...body } })
  }

  /** What the sender of a request sees, and may change; undefined where everything is everybody's. */
  #ownerOf(request: Request): Owner | undefined {
    const { owners } = this.#options
    return owners && new Owner(owners.ownership, owners.senderOf(request))
  }

  /** @param checkBody throws for what must not be stored */
  #beginTransaction(
    checkBody: TransactionOptions['checkBody'],
    { state, isShared, rules, owner }: Partial<OwnTransaction> = {},
  ): Transaction {
    return new Transaction({
      state: state ?? this.#data.state,
      isShared: isShared ?? this.#data.isShared,
      rules,
      idProperty: this.#idProperty,
      createId: this.#database?.replaced().createId,
      foreignKeySuffix: this.#options.foreignKeySuffix,
      cascade: this.#options.cascade,
      onStored: this.#options.onStored,
      owner,
      checkBody,
    })
  }

  /**
   * Makes a state the data. It is visible at once, and durable when the promise resolves, unless code that is not ours
   * stores it in its own way.
   */
  async #commit(state: Data): Promise<void> {
    const write = this.#database?.replaced().write
    if (write === undefined) return this.#data.commit(state)
    this.#data.show(state)
    await write()
  }

  /**
   * The way of a request: the newest data before a change, json-server's router of the resource that it leads to,
   * the wait until a change is durable, the response.
   */
  readonly handle: RequestHandler = (request, response, next) => {
    const respond = () => this.#respond(request, response, next)
    if (asksForStream(request)) this.#respondToListener(request, response, next)
    else if (isRead(request)) respond()
    else this.#data.refresh().then(respond).catch(next)
  }

  /** Sends a stream, or where there is none, what the GET gives now. */
  #respondToListener(request: Request, response: Response, next: NextFunction): void {
    const { access, sessionCheck, routing } = this.#options
    const owner = this.#ownerOf(request)
    let all: Data | undefined
    const look = ({ state }: Saved) => {
      const transaction = this.#beginTransaction(() => {}, { owner, state, isShared: false })
      all = transaction.state
      return askAgain(request, (blank) => routing.route({ request, response: blank, transaction }))
    }
    const key = JSON.stringify([request.url, request.query, access.grantOf(request), owner?.key])
    const isAll = (resource: unknown) => resource === all
    // Somebody else may have got the id of a user who is gone.
    const mayStay = () => access.mayStay(request, sessionCheck) && this.#ownerOf(request)?.key === owner?.key
    const refusal = this.#whyNoStream(request, response)
    if (refusal === undefined && this.#streams.begin(response, { key, look, isAll }, mayStay)) return
    this.#respond(request, response, next)
    if (refusal !== undefined) notesOf(request).reason = refusal
  }

  /** Why a GET gets JSON that asks for a stream, as a clause for the log. */
  #whyNoStream(request: Request, response: Response): string | undefined {
    // A stream must not show what a middleware of the user hides.
    if (!isSentAsText(request, response) || isSentByOthers(response))
      return 'no stream, because a middleware, or the query, changes how the response is made'
    return this.#database?.replaced().write && 'no stream, because a middleware saves changes in its own way'
  }

  /** The log says once for each collection why an id is letters: whoever expects numbers looks for a fault. */
  #tellOfTextId(request: Request, { textIdIn: name }: Transaction): void {
    if (name === undefined || this.#toldOfTextIds.has(name)) return
    this.#toldOfTextIds.add(name)
    notesOf(request).reason ??= `the new id is letters, because ${name} has an id that is a text`
  }

  /** What is done at once, so that no other request comes between. An error leaves the data as it is. */
  #respond(request: Request, response: Response, next: NextFunction): void {
    const rules = isRead(request) ? undefined : this.#rulesFor(request, request.body)
    const owner = this.#ownerOf(request)
    const transaction = this.#beginTransaction((content) => checkBody(request, content), { rules, owner })
    const { locals } = response
    // A user's middleware may look at what is put into its own: json-server gets others for stored records.
    response.locals = { data: locals.data }
    let resource: unknown
    try {
      if (!this.#options.routing.route({ request, response, transaction })) return
      resource = response.locals.data
    } finally {
      response.locals = locals
    }
    this.#tellOfTextId(request, transaction)
    const send = responseWith(request, response, resource, this.#options.contexts?.of(request).showOwn)
    if (transaction.hasChanges) this.#commit(transaction.whole).then(send).catch(next)
    else send()
  }
}

/** What only one transaction has. */
type OwnTransaction = Pick<TransactionOptions, 'state' | 'isShared' | 'rules' | 'owner'>

/** All data at one moment. */
type DataState = Pick<DataSource, 'state' | 'isShared'>
