import type { Request } from 'express'
import { isObject } from '../../is-record'
import { lodash } from '../handlers'
import type { CollectionIndex } from '../records/collection-index'
import { asksForRelations, checkValues, isPattern } from '../requests/query-guard'
import { Patterns } from './patterns'
import { sortRecords } from './sort-records'

/**
 * The requested collection, as json-server's `list` calls it in place of a lodash chain. Each call is
 * evaluated at once; json-server evaluates its own chain three times.
 */
export class ListChain {
  readonly #patterns = new Patterns()
  readonly #hasRelations: boolean
  #records: readonly unknown[]
  #isComplete = false
  /** The records that relations are added to: those of the page, if there are pages. */
  sent: readonly unknown[] = []
  /** Whether `q` is the next filter. */
  #searches: boolean
  /** The parameters of the filters that are still to come. */
  #filters: string[] | undefined

  /** @param isCopied whether other code may change what is sent, so that it must not be the stored records */
  constructor(
    private readonly collection: readonly unknown[],
    private readonly index: CollectionIndex,
    private readonly query: Request['query'],
    private readonly isCopied: boolean,
  ) {
    this.#records = collection
    // json-server removes these from the query.
    this.#hasRelations = asksForRelations(query)
    this.#searches = Boolean(query.q)
  }

  /**
   * json-server looks for each parameter in each record, and ignores one that no record has. Here, one record
   * stands for all.
   *
   * @throws HttpError 400 for a field whose value is an object
   */
  sample(): readonly object[] {
    const fields = Object.keys(this.query).filter((name) => this.#isField(name))
    for (const name of fields) checkValues(this.query, name)
    return this.collection.length === 0 ? [] : [Object.fromEntries(fields.map((name) => [name, true]))]
  }

  #isField(name: string): boolean {
    const isPath = /[.[]/.test(name)
    const hasIt = (record: unknown) =>
      isPath || !isObject(record) ? lodash().has(record, name) : Object.hasOwn(record, name)
    return this.index.hasField(name, () => this.collection.some(hasIt))
  }

  filter(matches: (record: unknown) => unknown): this {
    this.#records = this.#filtered(matches)
    return this
  }

  /** json-server filters by `q` first, then by the parameters in their order. */
  #filtered(matches: (record: unknown) => unknown): unknown[] {
    const records = this.#records
    if (this.#searches) {
      this.#searches = false
      return records.filter(matches)
    }
    this.#filters ??= Object.keys(this.query).filter((name) => name !== 'callback' && name !== '_')
    const name = this.#filters.shift() ?? ''
    if (/_[lg]te$/.test(name)) return records.filter(matches)
    const path = name.replace(/_(ne|like)$/, '')
    const valueIn = (record: unknown) => lodash().get(record, path)
    const given = [this.query[name]].flat().map(String)
    if (isPattern(name)) return this.#patterns.filter(records, valueIn, given)
    // json-server compares each record with each value.
    const values = new Set(given)
    const isWanted = !name.endsWith('_ne')
    return records.filter((record) => {
      const value = valueIn(record)
      return value !== undefined && value !== null && values.has(String(value)) === isWanted
    })
  }

  orderBy(paths: readonly string[], orders: readonly string[]): this {
    const records = this.#records
    const sort = () => {
      const fields = paths.map((path) => lodash().map(records, path))
      return sortRecords(records, fields, orders)
    }
    const key = paths.map((path, index) => (orders[index] === 'desc' ? `-${path}` : `+${path}`)).join()
    this.#records = records === this.collection ? this.index.order(key, sort) : sort()
    return this
  }

  size(): number {
    return this.#records.length
  }

  slice(start: number, end: number): this {
    this.#records = this.#records.slice(start, end)
    return this
  }

  /** The list; or what json-server takes a page of, before lodash copies it and relations are added to it. */
  value() {
    const records = this.#records
    if (this.#isComplete) return records
    return {
      length: records.length,
      slice: (start: number, end: number) => this.#taken(records.slice(start, end)),
    }
  }

  cloneDeep(): this {
    const records = this.#taken(this.#records)
    this.#records = this.isCopied || this.#hasRelations ? lodash().cloneDeep(records) : records
    return this
  }

  /** With something else, quickly copied, in the place of each item that is sent as it is. */
  #taken(records: readonly unknown[]): readonly unknown[] {
    this.sent = records
    const inItsPlace = this.#hasRelations ? {} : undefined
    return records.map((record) => (this.#isChanged(record) ? record : inItsPlace))
  }

  /** Whether json-server adds relations to an item, or others may change what is sent. */
  #isChanged(item: unknown): boolean {
    return this.#hasRelations ? isObject(item) : this.isCopied
  }

  /** What is sent, when json-server has made its list of what it has taken. */
  result(list: readonly unknown[]): readonly unknown[] {
    return this.sent.map((item, position) => (this.#isChanged(item) ? list[position] : item))
  }

  forEach(visit: (record: unknown) => void): this {
    for (const record of this.#records) visit(record)
    this.#isComplete = true
    return this
  }
}
