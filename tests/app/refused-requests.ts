/** Text in json-server's response to a request on which it fails. */
export const STACK = /\n {4}at .*node_modules/

/** A status, and text in the body. */
type Shows = readonly [status: number, body: RegExp]

/**
 * A request on which json-server 0.17.4 fails, or which corrupts its data, and which we refuse
 * (docs/json-server.md).
 */
interface Refused {
  /** What is wrong with it. */
  why: string
  request: string
  /** Another content type than the request's own. */
  type?: string
  plain: Shows
  /** The result of a later request to json-server. */
  afterwards?: { request: string; plain: Shows }
  /** Our status. */
  ours: number
}

type Row = Omit<Refused, 'why'>

const MEGABYTE = 'x'.repeat(2 ** 20)
const FAILS: Shows = [500, STACK]
const ONLY_AN_ID = /^\{\s+"id": \d+\s+\}$/

export const refused: Refused[] = [
  ...because('a malformed or too long body', [
    ...failing(
      400,
      'POST /posts {"title": ',
      'PUT /posts/1 {title: 1}',
      'PATCH /profile {',
      'DELETE /posts/1 {',
    ),
    ...failing(413, `POST /posts {"x": "${MEGABYTE.repeat(10)}"}`, `POST /posts x=${MEGABYTE}`),
  ]),
  ...because('a body that is no object', [
    row('POST /posts [1]', [201, /^\[/], 400, 'GET /posts', [200, /\n {2}\[/]),
    row('PUT /posts/1 [7]', [200, /"0": 7/], 400, 'GET /posts?title=Hello', [200, /^\[\]$/]),
    row('PATCH /posts/1 [7]', [200, /"0": 7/], 400),
    row('POST /posts/1/comments [1]', [201, /^\[/], 400),
    row('PUT /profile [1]', [200, /^\[/], 400, 'GET /profile', [200, /^\[/]),
    row('POST /profile []', [201, /^\[/], 400),
    row('PATCH /profile [1]', [200, /"0": 1/], 400),
    ...['POST /posts', 'PUT /posts/1', 'PATCH /posts/1', 'PUT /profile'].flatMap((target) =>
      failing(400, `${target} "text"`, `${target} 1`, `${target} true`, `${target} null`),
    ),
  ]),
  ...because('JSON that is sent as a form', [
    ...[
      'POST /posts {"title": "x"}',
      // The quotes are those of a shell that knows only double ones, as on Windows.
      "POST /posts '{title:x}'",
      'PUT /posts/1 {"title": "x"}',
      'PATCH /posts/1 [{"a": 1}]',
    ].map((request) => ({
      ...row(request, [request.startsWith('POST') ? 201 : 200, /": ""/], 400),
      type: 'application/x-www-form-urlencoded',
    })),
  ]),
  ...because('a body in another content type', [
    ...[
      row('POST /posts {"title": "x"}', [201, ONLY_AN_ID], 415),
      row('PUT /posts/1 {"title": "x"}', [200, ONLY_AN_ID], 415, 'GET /posts?title=Hello', [200, /^\[\]$/]),
      row('PATCH /posts/1 {"title": "x"}', [200, /"title": "Hello"/], 415),
      row('PUT /profile {"name": "x"}', [200, /^\{\}$/], 415, 'GET /profile', [200, /^\{\}$/]),
    ].flatMap((refusal) => [
      { ...refusal, type: 'text/plain' },
      { ...refusal, type: 'application/xml' },
      // It is read, as a form of texts alone would be.
      { ...refusal, type: 'multipart/form-data; boundary=x', ours: 400 },
    ]),
  ]),
  ...because('a duplicate id', [
    ...failing(409, 'POST /posts {"id": 1}', 'POST /posts {"id": "1"}', 'POST /posts id=2'),
  ]),
  ...because('an id that is no string and no safe integer', [
    row('POST /posts {"id": 9007199254740992}', [201, /\d{16}/], 400, 'POST /posts {}', FAILS),
    row('POST /posts {"id": 1e400}', [201, /"id": null/], 400, 'GET /posts/null', [404, /^\{\}$/]),
    row('POST /posts {"id": {"a": 1}}', [201, /"a": 1/], 400),
    row('POST /posts {"id": [5]}', [201, /\[/], 400),
    row('POST /posts {"id": true}', [201, /true/], 400),
  ]),
  ...because('an id to which no URL leads', [
    row(`POST /posts {"id": "${'é'.repeat(1001)}"}`, [201, /é{1001}/], 400),
    row('POST /posts {"id": "\\ud83c"}', [201, /\\ud83c/], 400),
    row('POST /posts/1/comments {"id": "\\ud83c"}', [201, /\\ud83c/], 400),
    ...failing(400, 'POST /posts {"id": {"toString": 1}}'),
  ]),
  ...because('a value that cannot be turned into text', [
    ...['author=x', 'author_ne=x', 'author_like=x', 'author_gte=x', '_sort=author'].map((query) =>
      row('POST /posts {"author": {"toString": 1}}', [201, /toString/], 400, `GET /posts?${query}`, FAILS),
    ),
    row('PUT /posts/1 {"title": {"toString": 1}}', [200, /toString/], 400, 'GET /posts?title=x', FAILS),
    row(
      'PATCH /posts/1 {"a": [{"b": {"toString": null}}]}',
      [200, /toString/],
      400,
      'GET /posts?a.0.b=x',
      FAILS,
    ),
  ]),
  ...because('a key __proto__', [
    row('POST /posts {"__proto__": {"a": 1}}', [201, /__proto__/], 400, 'GET /posts', [200, /__proto__/]),
    row('PUT /posts/1 {"a": [{"__proto__": {"b": 1}}]}', [200, /__proto__/], 400, 'GET /db', [
      200,
      /__proto__/,
    ]),
    row('PATCH /profile {"a": {"__proto__": 1}}', [200, /__proto__/], 400),
    row('POST /posts/1/comments {"__proto__": []}', [201, /__proto__/], 400),
  ]),
  ...because('another spelling of a nested name', [
    ...['%2F', '%3F', '%23', '%20'].flatMap((end) => [
      row(`POST /posts/1/comments${end} {"__proto__": []}`, [201, /__proto__/], 400),
      row(`POST /posts/1/COMMENTS${end} [1]`, [201, /^\[/], 400),
    ]),
  ]),
  ...because('a query that cannot be used', [
    ...failing(
      400,
      'GET /posts?title_like=[',
      'GET /posts?title_like=(',
      'GET /posts?title_like=o&title_like=%2B',
      'GET /posts?id=1&title_like=(',
    ),
    ...failing(400, 'GET /posts?q[a]=b', 'GET /comments?_expand[a]=b', 'GET /comments/1?_expand[a]=b'),
    ...failing(
      400,
      'GET /posts?q[0]=a&q[0]=b',
      'GET /comments?_expand[0]=a&_expand[0]=b',
      'GET /comments/1?_expand[0]=a&_expand[0]=b',
    ),
    ...failing(400, 'GET /posts?title_like[toString]=x', 'GET /posts?_delay[toString]=x'),
    ...['_page=x', '_limit=x', '_end=x', '_end=1&_start=x'].flatMap((query) =>
      failing(400, `GET /posts?${query.replace(/=x/, '[toString]=x')}`),
    ),
    row('GET /posts?title[toString]=x', [200, /^\[\]$/], 400),
    ...failing(400, 'GET /posts?_sort=id&_sort=title', 'GET /posts?_sort=id&_order=asc&_order=desc'),
    ...failing(
      400,
      'GET /posts?_sort[]=id',
      'GET /posts?_sort=id&_order[]=asc',
      'GET /posts/1/comments?q[a]=b',
    ),
  ]),
  ...because('a path that cannot be decoded', [
    ...failing(
      400,
      'GET /posts/%E0%A4%A',
      'PUT /posts/%E0%A4%A {}',
      'DELETE /posts/%E0%A4%A',
      'GET /posts/1/%E0%A4%A',
    ),
  ]),
]

function because(why: string, rows: readonly Row[]): Refused[] {
  return rows.map((row) => ({ why, ...row }))
}

function row(request: string, plain: Shows, ours: number, later?: string, plainLater?: Shows): Row {
  if (later === undefined || plainLater === undefined) return { request, plain, ours }
  return { request, plain, ours, afterwards: { request: later, plain: plainLater } }
}

function failing(ours: number, ...requests: string[]): Row[] {
  return requests.map((request) => ({ request, plain: FAILS, ours }))
}
