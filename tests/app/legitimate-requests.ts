import { gzipSync } from 'node:zlib'
import { type Question, question, withHeaders } from '../support/http'

const COLLECTIONS = words('users posts comments tags labels things mixed empty words')

/** Requests for every collection. */
const OF_EACH = [
  '',
  ...words(`
    / ? ?unknown=1 ?unknown_ne=1 ?_=1712 ?callback=show ?callback=a.b%5B0%5D ?callback=%3Cshow%3E ?callback= ?callback=a&callback=b
      ?callback[x]=a
    ?id=1 ?id=1&id=2 ?id=1&id=a1b2 ?id_ne=1 ?id_gte=2 ?id_lte=2 ?id_like=1 ?id=
    ?_sort=id ?_sort=id&_order=desc ?_sort=id&_order=DESC ?_sort=unknown ?_sort=id&_order=foo
    ?_page=1 ?_page=1&_limit=2 ?_page=2&_limit=2 ?_page=99 ?_page=0 ?_page=abc ?_page=-1 ?_page=1&_limit=-1
    ?_limit=2 ?_limit=0 ?_limit=-1 ?_limit=abc ?_start=1&_limit=2 ?_start=1&_end=2 ?_end=2 ?_end=abc
    ?_start=1 ?_start=-2&_end=-1 ?_start=9&_end=1 ?q=tea ?q= ?q=O ?q=zzzz ?q=1&q=2 ?_expand=nothing
    /1 /1/ /01 /1.0 /0 /-5 /2.5 /nope /undefined /a1b2 /1?callback=show`),
]

const POSTS_QUERIES = words(`
  views=200 views=200&views=9 views_gte=200 views_lte=100 views_gte=50&views_lte=200 views_ne=200
  views_ne=200&views_ne=9 views_gte=abc views_gte= title_gte=H&title_lte=X published=true note=null rating=4.5
  title_like=WORLD title_like=%5EHello title_like=tea%24 title_like=%5B0-9%5D title_like=%E6%9D%B1 title_like=
  title_like=a%7Cb title_like=world&title_like=C title_like=(wor%2B)%3Fld title_like=%5C%2B
  author.name=typicode author.name=Zo%C3%AB author.name_like=zo author.address.city=City%201 author=x
  author.address.city_ne=City+1 tags.0=a tags=a,b tags%5B0%5D=a,b length=3 length_gte=1 date_gte=2026
  title=Hello+world title=Hello%20world&views=100 userId=1&_sort=views _limit=2&views=200
  title_has=Hello note_is=x nope_is=null nope_has=1 _has=1 _is=null
  __proto__=1 constructor=1 hasOwnProperty=1 &&& = %20=1 views a=b=c views=%zz title=%E0%A4%A
  _sort=views _sort=views,title _sort=views,title&_order=desc,asc _sort=views,id&_order=desc _sort= _sort=,
  _sort=author.name,views&_order=asc,DESC _order=desc _sort=author.address.city&_order=desc _sort=title
  _page=1&_limit=2&_sort=views&_order=desc _page=2&_limit=2&title_like=o _page=1&_limit=100 _page=1&_limit=0
  _order=asc&_order=asc _order=asc&_order=desc&_sort= _order[a]=1 _order[0]=a&_order[0]=b
  id[0]=1&id[0]=2 id_ne[0]=1&id_ne[0]=2 title_like[0]=a&title_like[0]=b views_gte[0]=1&views_gte[0]=2 title[1]=a&title[1]=b
  _page[0]=1&_page[0]=2 _limit[0]=1&_limit[0]=2 _embed[0]=comments&_embed[0]=nope
  _page=1.5 _page=1&_page=2 _limit=1&_limit=2 _start=1&_start=2&_end=3 _page=3&_limit=2&x_page=3 _page=
  q=typicode q=%F0%9F%8D%B5 q=%E6%9D%B1%E4%BA%AC q=true q=city+1 q=a&_page=1&_limit=1 q=Z%C3%AB&q=x
  _embed=comments _embed=comments&_embed=labels _embed= _embed=nope _embed=/ _embed=%ED%A0%80
  _embed=profile _expand= _expand=nope
  _expand=user _expand=/ _expand=user&_expand=user _expand=user&_embed=comments _expand=user&_page=1&_limit=1
  ${Array.from({ length: 20 }, (_, id) => `id=${id}`).join('&')}
  ${Array.from({ length: 25 }, (_, id) => `id=${id}`).join('&')}
  ${Array.from({ length: 60 }, (_, index) => `x${index}=1`).join('&')} ${'views_gte=1&'.repeat(60)}
  _sort=${'title,'.repeat(30)}id ${'_embed=comments&'.repeat(30)} ${'_expand=user&'.repeat(30)}`)

const PATHS = words(`
  /posts/1?_embed=comments /posts/1?_expand=user /posts/10?_embed=comments&_expand=user /posts/1?_embed=nope
  /posts/1?_embed=/
  /comments?_expand=post /comments?_expand=post&_expand=user /comments/3?_expand=post /labels?_expand=tag
  /tags?_embed=labels /tags/a1b2?_embed=labels /tags/1?_embed=labels /users/1?_embed=posts&_embed=comments
  /comments?_page=2 /comments?_page=3 /comments?_page=4 /comments?_page=2&_limit=5 /comments?_page=1&postId=1
  /posts/1/comments /posts/1/comments/ /posts/1/comments// /posts/1// /profile// /%E0%A4%A /posts/99/comments /posts/1/comments?_page=1&_limit=2 /posts/10/comments
  /posts/1/comments?_sort=id&_order=desc /posts/1/comments?_expand=post /posts/1/comments?q=5 /posts/1/COMMENTS
  /tags/a1b2/labels /tags/1/labels /users/1/posts /users/2/posts?_embed=comments /things?name_is=set /things?list_has=x /posts/1/empty /post/1/comments
  /posts/1/nope /posts/1/profile /posts/1/db /posts/1/comments?callback=show
  /tags/with%20space /tags/%C3%BCn%C3%AF /tags/a%2Fb /tags/a/b /tags/100%25 /tags/A1B2 /tags/%611b2
  /profile /profile/ /profile/name /profile?name=x /profile?callback=show /settings /settings?_embed=posts /words?callback=show
  /words?callback=show&_start=4&_limit=1
  /nothing /PROFILE /POSTS /Posts/1 /POSTS?_page=1&_limit=2 /db /db/ /DB /db?callback=show /db/1
  / /nope /nope/1 /nope?_page=1 /nope/1/2/3 /$schema /%24schema // //posts /posts//1 /posts//
  /constructor /__proto__ /toString /hasOwnProperty/1 /posts/constructor /nope?callback=show /posts/1/?x=1
  /p%6Fsts /%E6%97%A5 /posts;a=1 /posts/1/__proto__ /index.html /favicon.ico /posts/1?title_like=x`)

const ORIGIN = { Origin: 'http://example.com' }

/** Reads of every collection. Like all reads, they go to the same pair of servers. */
export const readsOfEach: Question[] = COLLECTIONS.flatMap((name) =>
  OF_EACH.map((rest) => `GET /${name}${rest}`),
).map(question)

/** Further requests that change nothing. */
export const reads: Question[] = [
  ...[...POSTS_QUERIES.map((query) => `/posts?${query}`), ...PATHS].map((path) => ({ path })),
  ...words('/posts /posts/1 /posts/99 /db /nope /posts?_page=1&_limit=2 /profile /').flatMap((path) => [
    ...[`HEAD ${path}`, `OPTIONS ${path}`, `GET ${path} {"ignored": true}`].map(question),
    { method: 'OPTIONS', path, headers: { ...ORIGIN, 'Access-Control-Request-Method': 'PUT' } },
    ...[
      ORIGIN,
      { 'If-None-Match': '*' },
      { 'If-None-Match': 'W/"stale"' },
      { 'If-None-Match': '*', 'Cache-Control': 'no-cache' },
      { 'Accept-Encoding': 'gzip' },
      { 'Accept-Encoding': 'identity' },
      { Accept: 'text/html' },
      { Host: 'mock.example.com' },
      { 'X-HTTP-Method-Override': 'DELETE' },
    ].map((headers) => ({ path, headers })),
  ]),
  // Large enough to be compressed
  ...words('/comments /comments?_page=1&_limit=20 /comments?callback=show /db').flatMap((path) => [
    { path, headers: { 'Accept-Encoding': 'gzip' } },
    { path, headers: { 'Accept-Encoding': 'deflate, br;q=0' } },
    { method: 'HEAD', path, headers: { 'Accept-Encoding': 'gzip' } },
  ]),
  // Paths that exist, but not with this method; records that do not exist
  ...sequence(`
    PUT /posts {"a": 1}
    PATCH /posts {"a": 1}
    DELETE /posts
    POST /posts/1 {"a": 1}
    DELETE /profile
    POST /profile/name {"a": 1}
    POST /nope {"a": 1}
    PUT /nope/1 {"a": 1}
    PATCH /nope {"a": 1}
    DELETE /nope/1
    PUT /posts/1/comments {"a": 1}
    DELETE /posts/1/comments
    POST /posts/1/nope {"a": 1}
    POST /db {"a": 1}
    PUT /db {"a": 1}
    POST / {"a": 1}
    TRACE /posts
    PUT /posts/99 {"a": 1}
    PATCH /posts/99 {"a": 1}
    PUT /posts/undefined {"a": 1}
    DELETE /posts/99
    DELETE /tags/nope`),
]

export const otherReads: Question[] = words(`
  /posts /posts/1 /posts/9 /posts?_id=1 /posts?id=1 /posts?_id_ne=1 /comments?post_id=1 /db /posts/1/comments
  /posts/1/comments?_page=1&_limit=1 /tags/a1b2/labels /comments?_expand=post /comments/2?_expand=post /posts?_sort=_id&_order=desc`).map(
  (path) => ({ path }),
)

export const rewrittenReads: Question[] = words(`
  /api/posts /api/posts/1 /api/posts?_page=2&_limit=2 /blog/1 /blog/99 /blog/1?_embed=comments /nope
  /comments/3/show /search/tea /search/tea?_limit=1 /articles?id=2 /newest /api/newest /api/blog/2
  /tagged/a /__rules /posts /api/db /api/posts/1/comments /api/profile /search/tea?callback=show /api/`).map(
  (path) => ({
    path,
  }),
)

/** Every kind of change to a record, each followed by a GET; `{id}` is the id that the POST was given. */
function life(collection: string, created: object, query = ''): Question[] {
  return [
    ...sequence(`
      POST /${collection}${query} ${JSON.stringify(created)}
      GET /${collection}/{id}${query}
      PUT /${collection}/{id}${query} {"text": "replaced", "n": 1}
      GET /${collection}/{id}
      PATCH /${collection}/{id}${query} {"text": "patched", "more": [1, {"a": null}]}
      GET /${collection}/{id}`),
    { path: `/${collection}/{id}`, headers: { 'If-None-Match': '{etag}' } },
    ...sequence(`
      POST /${collection} {"second": true}
      DELETE /${collection}/{id}${query}
      GET /${collection}/{id}
      DELETE /${collection}/{id}
      GET /${collection}
      POST /${collection} {}`),
  ]
}

const NAMES = { constructor: 'c', hasOwnProperty: 1, toJSON: 1, valueOf: 2, 'a.b': 3, '': 'empty', $ref: '#' }
const DEEP: unknown = Array.from({ length: 90 }).reduce((value) => ({ value }), 'deep')

/** From creation to removal. Each goes to a fresh pair of servers; then their whole data is compared. */
export const lives: Question[][] = [
  ...COLLECTIONS.filter((name) => name !== 'words').map((name) => life(name, { text: 'new' })),
  life('POSTS', { text: 'upper case' }),
  life('posts', { text: 'callback' }, '?callback=show'),
  ...[50, 'own-id', '77', -3, 0, null, '', false].map((id) => life('posts', { id, text: 'id of its own' })),
  ...['own-id', 12].map((id) => life('tags', { id })),
  ...['first', 100].map((id) => life('empty', { id })),
]

/** A text is the largest id at the end, so the last record is given an id at random. */
export const idsOfBothKinds: Question[][] = [
  sequence(`
    POST /posts {}
    POST /posts {"id": "99"}
    POST /posts {}`),
]

/** Further changes, in the same way. */
export const writes: Question[][] = [
  ...['é', 'a b', 'c/d', '?', '#', '%', '東京'].map((id) =>
    sequence(`
      POST /tags ${JSON.stringify({ id })}
      GET /tags/{id}
      PATCH /tags/{id} {"seen": true}
      DELETE /tags/{id}`),
  ),
  ...[NAMES, { deep: DEEP }, { length: 9 }, { text: '\u2028 🍵 \u0000' }, { n: [1e300, 1e-7] }].map(
    (record) =>
      sequence(`
      POST /posts ${JSON.stringify(record)}
      GET /posts/{id}
      GET /posts?_sort=title&title_ne=o&q=e
      GET /posts?length=9
      GET /posts?a.b=3
      DELETE /posts/{id}`),
  ),
  sequence(`
    POST /posts?a=1 {}
    POST /posts/ {}
    POST /posts?_embed=comments&title=x {}
    POST /posts {"a": 1, "a": 2}
    POST /posts
    GET /posts`),
  [
    withHeaders(question('POST /posts {"title": "x"}'), ORIGIN),
    withHeaders(question('POST /posts {"title": "x"}'), { Host: 'mock.example.com' }),
    withHeaders(question('POST /posts {}'), { 'Content-Type': 'APPLICATION/JSON; charset=UTF-8' }),
    withHeaders(question('POST /posts {}'), { 'Transfer-Encoding': 'chunked' }),
  ],
  [
    {
      ...withHeaders(question('POST /posts {}'), { 'Content-Encoding': 'gzip' }),
      body: gzipSync('{"a": 1}'),
    },
    { method: 'POST', path: '/posts', headers: { 'Content-Type': 'text/plain' } },
    { ...question('POST /posts form=1'), body: '' },
    { ...question('PUT /posts/1 {}'), body: ' \n{ "a" : 1e3 }\n' },
  ],
  sequence(`
    POST /posts title=a+b&n=1&n=2&x%5By%5D=z
    GET /posts/{id}
    GET /posts?n=1,2
    PUT /posts/1 title=form&id=9
    PATCH /posts/2 title=form
    POST /tags id=form-id
    PUT /profile name=form
    PATCH /profile more=form
    POST /profile a=1
    GET /profile`),
  sequence(`
    PUT /posts/1 {"id": 99, "title": "keeps its id"}
    GET /posts/99
    PUT /posts/2 {"title": "x", "id": "2"}
    PATCH /posts/3 {"id": 4}
    PATCH /posts/3?x=1 {"author": null}
    PUT /posts/4/ {}
    PUT /posts/1
    PATCH /posts/2
    GET /posts/2`),
  sequence(`
    POST /things {"id": 0}
    GET /things`),
  sequence(`
    PATCH /posts/10 {"length": 7}
    GET /posts?length=7
    PATCH /things/0 {"length": 1}
    DELETE /things/-5
    DELETE /things/2.5
    DELETE /posts/10
    POST /things {"x.y": "dots", "length": 5}
    GET /things?x.y=dots
    GET /things?q=dots`),
  ...words('/posts/1 /tags/a1b2 /users/1 /comments/5 /labels/1 /POSTS/2 /mixed/b /posts/99').map((path) =>
    sequence(`
      DELETE ${path}
      GET ${path}
      GET /comments
      GET /labels`),
  ),
  sequence(`
    DELETE /posts/1?callback=show
    DELETE /posts/2/
    DELETE /posts/3 {"a": 1}
    POST /posts {}`),
  ...words('/profile /settings /nothing /PROFILE').map((path) =>
    sequence(`
      PATCH ${path} {"a": {"b": 1}}
      PUT ${path} {"name": "replaced"}
      GET ${path}
      POST ${path} {"name": "posted", "id": 5}
      POST ${path}/?x=1 {}
      PATCH ${path}
      DELETE ${path}
      GET ${path}`),
  ),
  // If the parent has a string id, or does not exist, the text in the path is stored as the key.
  sequence(`
    POST /tags/a1b2/labels {"text": "x"}
    GET /tags/a1b2/labels
    POST /tags/1/labels text=form
    POST /tags/1/labels/?x=1
    POST /tags/1/LABELS {"tagId": "mine"}
    GET /tags?_embed=labels
    POST /posts/99/comments {"body": "x"}
    GET /posts/99/comments
    POST /nope/1/comments {}
    POST /tags/1/profile {}`),
  ...['PUT', 'PATCH', 'put', 'DELETE', 'GET', 'OPTIONS', 'FOO', 'PUT, DELETE', ''].map((method) =>
    sequence(`
      POST /posts/1 {"title": "override"}
      POST /posts {"title": "override"}
      POST /tags/a1b2/labels {"text": "override"}
      POST /profile {"name": "override"}
      POST /posts/99 {}`).map((asked) => withHeaders(asked, { 'X-HTTP-Method-Override': method })),
  ),
]

export const otherWrites: Question[][] = [
  life('posts', { title: 'new' }),
  life('posts', { _id: 40, id: 'a plain field' }),
  life('tags', { label: 'new' }),
  life('tags', { _id: 'own-id' }),
  sequence(`
    POST /tags/a1b2/labels {"text": "x"}
    GET /tags/a1b2/labels
    DELETE /comments/1
    PUT /posts/1 {"_id": 7, "id": 8}
    GET /posts?id=8`),
]

export const rewrittenWrites: Question[][] = [
  life('api/posts', { title: 'new' }),
  sequence(`
    PATCH /blog/1 {"seen": true}
    POST /api/tags/1/labels {}
    DELETE /blog/2
    GET /blog/2`),
  [withHeaders(question('POST /blog/1 {"title": "x"}'), { 'X-HTTP-Method-Override': 'PUT' })],
]

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function sequence(lines: string): Question[] {
  return lines
    .trim()
    .split(/\s*\n\s*/)
    .map(question)
}
