import pluralize from 'pluralize'
import { isListReferenceTo } from '../data/references'
import { resourceNames } from '../data/valid-data'
import { badRequest } from '../errors'
import { shortened } from '../http/log/redact-target'
import { isRead } from '../http/request'
import { hasToJson, isObject, isRecord } from '../is-record'
import { nearestName } from '../nearest-name'
import { resourcePath, resourcesAt } from './addresses'
import { CollectionIndex, fieldNamesOf, type StoredRecord, withClassOf } from './collection-index'
import type { Part } from './nested-path'
import { Transaction } from './transaction'

/** What the one resource of a place is called there: one router of json-server is enough for the lists of all fields. */
export const INSIDE = 'inside'

/** A list, a record in it, or an object, that is nested in the data, as a resource. */
export interface NestedResource {
  /** A small database of which the list, or the object, is the only resource. */
  readonly transaction: Transaction
  /** The id after a list, as it was sent, with a slash before it; empty for a list or an object itself. */
  readonly rest: string
  /** What is there: the list, the object, or the element that is asked for. */
  value(): unknown
  /** Stores what a request has made of it in the data that it is nested in. */
  store(): void
  /** Why there is nothing for a method, where json-server finds nothing. */
  reasonFor(method: string): string
}

/** What a path leads to in nested data, or why it leads to nothing. */
interface Found {
  readonly resource?: NestedResource
  readonly reason?: string
}

/** Where the walk along a path has come to: a record, the value of a field, or an element of a list. */
interface NestedPlace {
  readonly value: unknown
  /** The parts of the path that lead to it, as a reason shows them. */
  readonly path: string
  /** Puts another object in its place. */
  replace(next: object): void
  /** Of a record: those that it is among. */
  readonly list?: readonly unknown[]
  /** What may stand in the place of a field of a record at the top: other collections, and what it refers to. */
  readonly related?: { collections(): readonly string[]; isParent(name: string): boolean }
  /** Of the list in a field: elements that another record has there, if one has any. */
  others?(): readonly unknown[] | undefined
}

/**
 * Finds what a path leads to below the records and the objects at the top of the data. After a list comes an id, and
 * after a record or another object the name of a field, in its own case.
 *
 * @param parts of a path that does not lead through a record to a resource at the top
 * @param prefix what a rewrite rule has taken off in front of them, for the reason
 * @returns neither a resource nor a reason where it is the path of a record, of a resource, or of none
 */
export function findInside([first, ...parts]: readonly Part[], transaction: Transaction, prefix = ''): Found {
  if (first === undefined) return {}
  const path = `${prefix}/${shortened(first.sent)}`
  const all = resourcesAt(first.sent, transaction.state).map((name) =>
    findInResource(name, path, parts, transaction),
  )
  // Of names that differ only in case, json-server's last one responds.
  return all.findLast(({ resource }) => resource !== undefined) ?? all.at(-1) ?? {}
}

function findInResource(name: string, path: string, parts: readonly Part[], transaction: Transaction): Found {
  const value = transaction.valueAt(name)
  const [id, ...fields] = parts
  if (id === undefined) return {}
  if (!Array.isArray(value)) {
    const replace = (next: object) => transaction.replaceContent(name, next)
    return findInObject({ value, path, replace }, parts, transaction)
  }
  if (fields.length === 0) return {}
  const record = transaction.find(name, id.name)
  if (record === undefined) return { reason: noElement(path, id, transaction) }
  const place: NestedPlace = {
    value: record,
    path: `${path}/${shortened(id.sent)}`,
    list: value,
    related: {
      collections: () =>
        resourceNames(transaction.state).filter((other) => refersBack(other, name, transaction)),
      isParent: (parent) =>
        Object.hasOwn(record, `${parent}${transaction.options.foreignKeySuffix}`) &&
        transaction.collection(pluralize(parent)) !== undefined,
    },
    replace: (next) => transaction.replaceContent(name, next, record),
  }
  return findInObject(place, fields, transaction)
}

/** Goes on to a field of a record, or of another object. */
function findInObject(
  place: NestedPlace,
  [field, ...rest]: readonly Part[],
  transaction: Transaction,
): Found {
  const { value: record, path, list = [] } = place
  if (field === undefined) return {}
  if (!isRecord(record) || hasToJson(record))
    return { reason: `${path} makes its own JSON, so nothing in it has a path` }
  const { name } = field
  const isThere = Object.hasOwn(record, name)
  const stored = isThere ? record[name] : undefined
  // A list that a record does not have yet is an empty one, which a POST makes.
  const isEmptyList =
    rest.length === 0 && (stored ?? undefined) === undefined && nestedList(list, name) !== undefined
  if (!isThere && !isEmptyList) return { reason: noField(field, record, place) }
  const content: NestedPlace = {
    value: isEmptyList ? [] : stored,
    path: `${path}/${shortened(field.sent)}`,
    others: () => nestedList(list, name, ({ length }) => length > 0),
    replace: (next) => place.replace(withClassOf(record, { ...record, [name]: next })),
  }
  return findInValue(content, rest, transaction)
}

/** Goes on to what a field holds. */
function findInValue(place: NestedPlace, parts: readonly Part[], transaction: Transaction): Found {
  const { value, path, replace } = place
  if (!isObject(value) || hasToJson(value))
    return { reason: `${path} is a single value: only lists and objects have paths` }
  const [id, ...fields] = parts
  if (!Array.isArray(value) && id !== undefined)
    return findInObject({ value, path, replace }, parts, transaction)
  if (!Array.isArray(value) || id === undefined || fields.length === 0)
    return { resource: nestedResource(place, id, transaction) }
  // Of a copy, nothing is remembered: 100,000 records have as many lists.
  const record = new CollectionIndex([...value], transaction.options.idProperty).find(id.name)
  if (record === undefined) return { reason: noElement(path, id, transaction) }
  const element: NestedPlace = {
    value: record,
    path: `${path}/${shortened(id.sent)}`,
    list: value,
    replace: (next) => replace(value.with(value.indexOf(record), next)),
  }
  return findInObject(element, fields, transaction)
}

/** Whether records of a collection may refer to those of another: through a record, json-server else gives all of them. */
function refersBack(collection: string, other: string, transaction: Transaction): boolean {
  const isReference = isListReferenceTo(other, transaction.options.foreignKeySuffix)
  const records = transaction.collection(collection)
  return records !== undefined && (records.length === 0 || fieldNamesOf(records).some(isReference))
}

/** @param id of an element of a list, if one is asked for */
function nestedResource(place: NestedPlace, id: Part | undefined, outer: Transaction): NestedResource {
  const { value, path } = place
  const isList = Array.isArray(value)
  const transaction = new Transaction({
    ...outer.options,
    state: { [INSIDE]: value },
    // It is a part of a record, which is seen or not.
    owner: undefined,
    // As of data that others may change, nothing of it is remembered.
    isShared: true,
    cascade: false,
    // The record that it is in is looked at when it takes the place of the one that was there.
    rules: undefined,
    checkBody: (sent) => {
      outer.options.checkBody(sent)
      if (isList && id === undefined) checkElements(value.length > 0 ? value : place.others?.(), path)
    },
  })
  return {
    transaction,
    rest: id === undefined ? '' : `/${id.sent}`,
    value: () => (id === undefined ? value : transaction.find(INSIDE, id.name)),
    store: () => {
      const { [INSIDE]: next } = transaction.state
      if (transaction.hasChanges && isObject(next)) place.replace(next)
    },
    reasonFor: (method) => {
      if (id !== undefined && method !== 'POST') return noElement(path, id, outer)
      if (id !== undefined)
        return `POST ${path} adds an element, PUT or PATCH ${path}/${shortened(id.sent)} changes one`
      if (isList && isRead({ method })) return `no element of ${path} has all that the query asks for`
      return isList
        ? `${path} is a list, for GET and POST`
        : `${path} is one object, for GET, POST, PUT and PATCH`
    },
  }
}

/**
 * The first list that one of these records has in a field. Of 100,000 without the field, a look at the value takes 1.5 ms,
 * and one at the names 3 ms.
 */
function nestedList(
  records: readonly unknown[],
  field: string,
  isSought: (list: readonly unknown[]) => boolean = () => true,
): readonly unknown[] | undefined {
  for (const record of records) {
    if (!isRecord(record)) continue
    const value = record[field]
    if (Array.isArray(value) && isSought(value) && Object.hasOwn(record, field)) return value
  }
  return undefined
}

/**
 * Refuses to add a record to other elements.
 *
 * @throws HttpError 400 for a list such as that of texts
 */
function checkElements(elements: readonly unknown[] = [], path: string): void {
  if (elements.length > 0 && !elements.some(isRecord))
    throw badRequest(
      `The elements of ${path} are no objects, so that none can be added: send the whole list in a PATCH of what it is in.`,
      `the elements of ${path} are no objects`,
    )
}

function noElement(list: string, { sent }: Part, { options: { idProperty } }: Transaction): string {
  return `nothing in ${list} has the ${idProperty} ${shortened(sent)}`
}

/** Why a record has nothing in a field, and which path may be meant. */
function noField(field: Part, record: StoredRecord, { path, related }: NestedPlace): string {
  const isObjectIn = (key: string) => isObject(record[key])
  const names = [...Object.keys(record).filter(isObjectIn), ...(related?.collections() ?? [])]
  const addresses = names.map(resourcePath).filter((address) => address !== undefined)
  const sent = shortened(field.sent)
  const nearest = nearestName(sent, addresses)
  const meant = related?.isParent(field.name) ? `?_expand=${sent}` : nearest && `/${nearest}`
  const advice = meant === undefined ? '' : `: did you mean ${path}${meant}?`
  return `no "${sent}" in ${path}${advice}`
}
