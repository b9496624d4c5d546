/** What a mock with sandboxes and its clients, such as `lib/testing`, agree on. It needs no types of Node. */

import { isRecord } from '../../is-record'

/** What a name of a sandbox can be. */
export const SANDBOX_NAME = /^[A-Za-z0-9._-]{1,64}$/

/** The path at which a test logs in, whatever the logins of the application are: the response is `{"token": "..."}`. */
export const LOGIN_OF_TESTS = '/__sandbox/login'

/** A request of the application under test, as the mock saw it. */
export interface AskedRequest {
  method: string
  /** As it was sent, without the query. */
  path: string
  /** The path after the rewrite rules, if that is another one. */
  rewritten?: string
  query: Record<string, unknown>
  /** The parsed body; null if none was parsed, as in a request without a token. */
  body?: unknown
  /** 0 if no response was sent. */
  status: number
  /** Which of the fault rules has acted on it, from 1. */
  faultRule?: number
  /** Whether the body is left out, because it is too large or nested too deep. */
  truncated?: true
}

/** Whether a value is what a mock says of a request. */
export function isAskedRequest(value: unknown): value is AskedRequest {
  return isRecord(value) && typeof value.method === 'string' && typeof value.path === 'string'
}

/** Which requests are asked for. */
export interface RequestFilter {
  method?: string
  /** A path, or a pattern as in a rule: `/blogs/:id`; as it was sent, or as the rewrite rules make it. */
  path?: string
}
