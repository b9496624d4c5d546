import { credentials, newBlog } from './data'

export type Kind = 'ours' | 'ours in a sandbox' | 'json-server' | 'json-server 1.0 beta' | 'bare Express'

/** What a request may depend on beside its number. */
export interface Target {
  readonly kind: Kind
  /** Number of blogs at the start. */
  readonly size: number
  /** The header with the token; no header for a server that asks for none. */
  readonly authorization: Readonly<Record<string, string>>
  /** The entity tag of the list. */
  readonly listTag: string
}

export interface RequestSpec {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Only ASCII characters. */
  readonly body?: string
}

/** A row of the table. */
export interface Row {
  readonly title: string
  readonly size: number
  readonly connections: number
  /** The servers that ours is compared with. */
  readonly others: readonly Kind[]
  /**
   * How many requests a second, or in a second of processor time, or how fast the first change after a start
   * is in the data file, or the start itself. Default: the rate.
   */
  readonly measured?: 'rate' | 'processor time' | 'first change' | 'start'
  /** Whether each request adds or removes a record. */
  readonly drifts?: boolean
  readonly status?: number
  /** How many records the response has, where it is a list. */
  readonly records?: number
  request(number: number, target: Target): RequestSpec
}

const JSON_SERVER: readonly Kind[] = ['json-server']
const BOTH: readonly Kind[] = [...JSON_SERVER, 'json-server 1.0 beta']
const JSON_BODY = { 'Content-Type': 'application/json' }

/** With a slash at the end, the list is not a public read: it goes through the token check and the router. */
function protectedList(query: string, beta = query) {
  return (_number: number, { kind, authorization }: Target): RequestSpec =>
    kind === 'json-server 1.0 beta'
      ? { path: `/blogs?${beta}` }
      : { path: `/blogs/?${query}`, headers: authorization }
}

function create(number: number, { authorization }: Target): RequestSpec {
  const headers = { ...authorization, ...JSON_BODY }
  return { method: 'POST', path: '/blogs', headers, body: JSON.stringify(newBlog(number)) }
}

/**
 * An id from 1 to `size`, another one for each number up to that size: neighbours would be found at once by a
 * scan.
 */
function spreadId(number: number, size: number): number {
  return 1 + ((number * 7919 + Math.floor(size / 2)) % size)
}

const list: Pick<Row, 'size' | 'connections' | 'others'> = {
  size: 1_000,
  connections: 32,
  others: JSON_SERVER,
}
const large: Pick<Row, 'size' | 'connections'> = { size: 100_000, connections: 1 }

/** By processor time, which other work on the machine does not change. */
const work: Pick<Row, 'size' | 'connections' | 'others' | 'measured'> = {
  size: 1_000,
  connections: 32,
  others: BOTH,
  measured: 'processor time',
}
const largeWork: Pick<Row, 'size' | 'connections' | 'others' | 'measured'> = {
  ...large,
  others: JSON_SERVER,
  measured: 'processor time',
}

/** A query with so many values of a parameter. */
function repeated(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name}=${1 + index * 7}`).join('&')
}

export const ROWS: readonly Row[] = [
  {
    ...work,
    title: 'Work for GET /blogs',
    request: () => ({ path: '/blogs' }),
  },
  {
    ...work,
    title: 'Work for GET /users/:id, token',
    request: (_number, { authorization }) => ({ path: '/users/5', headers: authorization }),
  },
  {
    ...work,
    title: 'Work for a page of 100, token',
    request: protectedList('_page=3&_limit=100', '_page=3&_per_page=100'),
  },
  {
    ...work,
    title: 'Work for the whole list, token',
    records: 1_000,
    request: protectedList(''),
  },
  ...[1_000, 100_000].map(
    (size): Row => ({
      ...work,
      title: 'Work for GET /db, token',
      size,
      connections: 1,
      others: JSON_SERVER,
      request: (_number, { authorization }) => ({ path: '/db', headers: authorization }),
    }),
  ),
  ...[
    ['a page', '_page=300&_limit=10'],
    ['a sorted page', '_sort=title&_page=7&_limit=20'],
    ['one filter', 'userid=77&_limit=10'],
    ['_like', 'body_like=lamp|stone&_limit=10'],
    ['50 ids', repeated('id', 50)],
    ['1 value', repeated('title', 1)],
    ['100 values', repeated('title', 100)],
  ].map(
    ([name, query = '']): Row => ({
      ...largeWork,
      title: `Work for ${name}, token`,
      request: protectedList(query),
    }),
  ),
  {
    ...list,
    title: 'GET /blogs',
    others: ['json-server', 'bare Express'],
    records: 1_000,
    request: () => ({ path: '/blogs' }),
  },
  {
    ...list,
    title: 'GET /blogs, gzip',
    request: () => ({ path: '/blogs', headers: { 'Accept-Encoding': 'gzip' } }),
  },
  {
    ...list,
    title: 'GET /blogs, 304',
    status: 304,
    request: (_number, { listTag }) => ({ path: '/blogs', headers: { 'If-None-Match': listTag } }),
  },
  {
    ...list,
    title: 'GET /blogs/:id',
    request: (number, { size }) => ({ path: `/blogs/${spreadId(number, size)}` }),
  },
  ...[1, 32].map(
    (connections): Row => ({
      title: 'GET /users/:id, token',
      size: 1_000,
      connections,
      others: [...BOTH, 'bare Express', 'ours in a sandbox'],
      request: (_number, { authorization }) => ({ path: '/users/5', headers: authorization }),
    }),
  ),
  {
    title: 'Sorted page, token',
    size: 1_000,
    connections: 32,
    others: BOTH,
    request: protectedList('_sort=title&_order=asc&_page=2&_limit=20', '_sort=title&_page=2&_per_page=20'),
  },
  {
    ...large,
    title: 'Sorted slice, token',
    others: BOTH,
    request: protectedList('_sort=title&_order=asc&_start=0&_end=10', '_sort=title&_page=1&_per_page=10'),
  },
  {
    ...large,
    title: 'Sorted page, token',
    others: BOTH,
    request: protectedList('_sort=title&_order=desc&_page=7&_limit=20', '_sort=-title&_page=7&_per_page=20'),
  },
  {
    ...large,
    title: 'Page, token',
    others: BOTH,
    request: protectedList('_page=3&_limit=10', '_page=3&_per_page=10'),
  },
  {
    ...large,
    title: 'Filtered page, token',
    others: BOTH,
    request: protectedList('userid=77&_page=1&_limit=10', 'userid=77&_page=1&_per_page=10'),
  },
  {
    ...large,
    title: 'GET /blogs/:id/, token',
    others: JSON_SERVER,
    request: (number, { size, authorization }) => ({
      path: `/blogs/${spreadId(number, size)}/`,
      headers: authorization,
    }),
  },
  {
    title: 'POST /blogs, durable',
    size: 10_000,
    connections: 32,
    others: JSON_SERVER,
    drifts: true,
    status: 201,
    request: create,
  },
  {
    ...large,
    title: 'POST /blogs, durable',
    others: JSON_SERVER,
    drifts: true,
    status: 201,
    request: create,
  },
  {
    ...large,
    title: 'First POST, in the file',
    others: JSON_SERVER,
    measured: 'first change',
    status: 201,
    request: create,
  },
  {
    title: 'PATCH /blogs/:id, durable',
    size: 10_000,
    connections: 32,
    others: JSON_SERVER,
    request: (number, { size, authorization }) => ({
      method: 'PATCH',
      path: `/blogs/${spreadId(number, size)}`,
      headers: { ...authorization, ...JSON_BODY },
      body: JSON.stringify({ title: `Edition ${number}` }),
    }),
  },
  {
    ...large,
    title: 'DELETE /blogs/:id, durable',
    others: JSON_SERVER,
    drifts: true,
    request: (number, { size, authorization }) => ({
      method: 'DELETE',
      path: `/blogs/${spreadId(number, size)}`,
      headers: authorization,
    }),
  },
  ...[1_000, 100_000].map(
    (size): Row => ({
      title: 'Start-up',
      size,
      connections: 1,
      others: JSON_SERVER,
      measured: 'start',
      request: () => ({ path: '/blogs/1' }),
    }),
  ),
]

/** The login of a generated user. */
export const LOGIN: RequestSpec = {
  method: 'POST',
  path: '/auth/login',
  headers: JSON_BODY,
  body: JSON.stringify(credentials(1)),
}
