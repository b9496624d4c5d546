import type { Request } from 'express'
import { isRecord } from '../is-record'
import type { CollectionIndex } from './collection-index'
import { filtered } from './filters'
import { lodash } from './lodash'
import { checkListQuery, type Query } from './query-checks'
import { chained } from './transaction'

/*
 * json-server clones deeply what it sends: a whole list would take twice the time, a sorted page 20 % more.
 * It needs copies only to add relations to them. For any other read it is told that there are records, and
 * the stored ones are sent.
 */

/** How json-server reads a collection. */
export interface Read {
  /** Its functions are named after those that json-server calls. */
  chain: object
  /** Gives what is sent for what json-server has made. */
  sent: (made: unknown) => unknown
}

/** What json-server's `show` gets: a record by its id. */
export function readRecord(index: CollectionIndex, hasRelations: boolean): Read {
  // The chain that `_expand` gets finds the record, too, and json-server itself copies it.
  if (hasRelations) return { chain: {}, sent: (made) => made }
  let record: unknown
  const chain = {
    getById: (id: unknown) => {
      record = index.find(id)
      return chained(record !== undefined)
    },
  }
  return { chain, sent: (made) => record ?? made }
}

/**
 * What json-server's `list` gets: the records that the query filters, sorted and cut as `list` says.
 *
 * @throws HttpError 400 as {@link checkListQuery} and {@link filtered} do
 */
export function readList(index: CollectionIndex, query: Query, hasRelations: boolean): Read {
  checkListQuery(query)
  let records = filtered(index, query)

  /** Leaves a part of the records, and gives what stands for them. */
  const cut = (start?: number, end?: number): unknown[] => {
    records = records.slice(start, end)
    return hasRelations ? records.map(copyOf) : Array(records.length)
  }

  const chain = {
    orderBy: (paths: string[], orders: string[]) => {
      const sort = () => lodash().orderBy(records, paths, orders)
      const isWhole = records === index.collection
      records = isWhole ? index.sorted(JSON.stringify([paths, orders]), sort) : sort()
      return chain
    },
    size: () => records.length,
    /** For `_page`: json-server takes its length, and a slice of it. */
    value: () => ({ length: records.length, slice: cut }),
    /** For `_start`, `_end` and `_limit` */
    slice: (start: number, end: number) => {
      records = records.slice(start, end)
      return chain
    },
    /** For every list without `_page` */
    cloneDeep: () => lodash().chain(cut()),
  }

  const sent = (made: unknown) => {
    if (!hasRelations || !Array.isArray(made)) return records
    return records.map((record, position) => (isRecord(record) ? made[position] : record))
  }
  return { chain, sent }
}

/** The parameters by which json-server's `list` sorts, cuts and adds relations. */
export function parametersOfList({
  _start,
  _end,
  _page,
  _sort,
  _order,
  _limit,
  _embed,
  _expand,
}: Request['query']) {
  const parameters = { _start, _end, _sort, _order, _limit, _embed, _expand }
  // json-server takes each other name that it finds in the query for a filter, `_page` as well.
  return Object.defineProperty(parameters, '_page', { value: _page, enumerable: false })
}

/** A copy one level deep; an item that is no object takes no relations. */
function copyOf(record: unknown): unknown {
  return isRecord(record) ? lodash().clone(record) : {}
}
