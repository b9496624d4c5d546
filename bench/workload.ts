import { isRecord } from '../lib/is-record'
import type { Answer, RequestSpec } from './exchange'

/** What a request may depend on beside its number. */
export interface RequestContext {
  /** Number of blogs that the server started with. */
  size: number
  /** The headers that this server asks for: a token, or nothing. */
  authorization: Record<string, string>
  /** The entity tag of this server's list. */
  listTag: string
}

/** A kind of request that is measured. */
export interface Workload {
  title: string
  expectedStatus: number
  /** Whether every request changes the number of records. */
  drifts?: boolean
  /** The request with this number, counted from 0 for each server that was started. */
  request(number: number, context: RequestContext): RequestSpec
  /** Whether the answer to the request with this number, unzipped, is what was asked for. */
  isRight(answer: Answer, number: number, context: RequestContext): boolean
}

/**
 * An id from 1 to `size`, another one for each number from 0 up to that size: the prime shares no factor with it.
 * Neighbours would let a scan from one end find them at once.
 */
export function spreadId(number: number, size: number): number {
  return 1 + ((number * 7919 + Math.floor(size / 2)) % size)
}

export function parsed({ body }: Answer): unknown {
  return JSON.parse(body.toString())
}

/** The records in an answer: our public list wraps them in the name of the collection. */
export function recordsOf(answer: Answer): unknown[] {
  const value = parsed(answer)
  const records = isRecord(value) ? value.blogs : value
  return Array.isArray(records) ? records : []
}

/** The one record in an answer: our public reads wrap it. */
export function recordOf(answer: Answer): Record<string, unknown> {
  const value = parsed(answer)
  const record = isRecord(value) && isRecord(value.blog) ? value.blog : value
  return isRecord(record) ? record : {}
}
