/** A setup of json-server, of a kind that people have: its files, its arguments, and requests to it in their order. */
export interface Setup {
  kind: string
  /** `<remote>` stands for the address of a server that gives the data. */
  args: string
  files: Readonly<Record<string, string>>
  /** A method, a path and maybe a JSON body. */
  requests: readonly string[]
}

const POSTS = {
  posts: [
    { id: 1, title: 'Tea', category: 'drinks', userId: 1, views: 100 },
    { id: 2, title: 'Bread', category: 'food', userId: 2, views: 200 },
    { id: 3, title: 'Milk', category: 'drinks', userId: 1, views: 50 },
  ],
  comments: [
    { id: 1, body: 'Nice', postId: 1 },
    { id: 2, body: 'Good', postId: 2 },
  ],
  users: [
    { id: 1, username: 'ada' },
    { id: 2, username: 'grace' },
  ],
  settings: { theme: 'dark' },
}
const DATA = { 'db.json': JSON.stringify(POSTS) }

const READS = [
  'GET /posts',
  'GET /posts/1',
  'HEAD /posts/1',
  'GET /posts/99',
  'GET /posts?category=drinks&_sort=views&_order=desc',
  'GET /posts?_page=2&_limit=2',
  'GET /posts?q=tea',
  'GET /posts?_embed=comments&_expand=user',
  'GET /posts/1/comments',
  'GET /settings',
  'GET /db',
  'GET /unknown',
  'OPTIONS /posts',
]

/** What most clients do with a collection. */
const ORDINARY = [
  ...READS,
  'POST /posts {"title": "New", "userId": 2}',
  'PUT /posts/2 {"title": "Put"}',
  'PATCH /posts/3 {"views": 51}',
  'DELETE /posts/1',
  'PATCH /settings {"theme": "light"}',
  'GET /db',
]

export const SETUPS: readonly Setup[] = [
  { kind: 'a data file', args: 'db.json', files: DATA, requests: ORDINARY },
  { kind: '--watch ahead of the data file', args: '--watch db.json', files: DATA, requests: READS },
  {
    kind: 'a data file named json-server.json',
    args: 'json-server.json',
    files: { 'json-server.json': DATA['db.json'] },
    requests: ORDINARY,
  },
  {
    kind: 'rules with wildcards, parameters and queries',
    args: 'db.json --routes rules.json',
    files: {
      ...DATA,
      'rules.json': JSON.stringify({
        '/api/*': '/$1',
        '/:resource/:id/show': '/:resource/:id',
        '/articles\\?id=:id': '/posts/:id',
        '/category/:category': '/posts?category=:category',
        '/top': '/posts?_sort=views&_order=desc&_limit=1',
      }),
    },
    requests: [
      'GET /api/posts',
      'GET /api/posts/2',
      'GET /api/posts?views_gte=100',
      'GET /posts/1/show',
      'GET /articles?id=1',
      'GET /category/drinks',
      'GET /top',
      'POST /api/posts {"title": "New"}',
      'DELETE /api/posts/2',
      'GET /api/unknown',
      'GET /__rules',
      'GET /posts',
    ],
  },
  {
    kind: 'a rule for each path of two segments',
    args: 'db.json -r rules.json',
    files: { ...DATA, 'rules.json': '{"/v1/*/*": "/$1/$2", "/v1/*": "/$1"}' },
    requests: ['GET /v1/posts/1', 'GET /v1/posts', 'PATCH /v1/posts/1 {"views": 1}', 'GET /posts/1'],
  },
  {
    kind: 'data that a module makes',
    args: 'data.js',
    files: {
      'data.js': `module.exports = () => ({
        posts: Array.from({ length: 30 }, (_, index) => ({ id: index, title: 'Post ' + index, userId: index % 3 })),
        users: [{ id: 0 }, { id: 1 }, { id: 2 }],
      })`,
    },
    requests: [
      'GET /posts',
      'GET /posts?_page=3',
      'GET /posts?_start=20&_end=22',
      'GET /posts/0',
      'GET /users/1/posts?_limit=2',
      'POST /posts {"title": "New"}',
      'GET /posts/30',
    ],
  },
  {
    kind: 'data from another server',
    args: '<remote>',
    files: {},
    requests: ORDINARY,
  },
  {
    kind: 'middlewares that add to requests and responses',
    args: 'db.json -m first.js -m second.cjs',
    files: {
      ...DATA,
      'first.js': `module.exports = [
        (req, res, next) => { res.header('Access-Control-Expose-Headers', 'X-Total-Count'); next() },
        (req, res, next) => { if (req.method === 'POST') req.body.createdAt = 1; next() },
      ]`,
      'second.cjs': `module.exports = (req, res, next) => {
        if (req.method === 'GET' && req.query.mine) { req.query.userId = '1'; delete req.query.mine }
        setTimeout(next, 5)
      }`,
    },
    requests: [
      'GET /posts?mine=1',
      'POST /posts {"title": "New"}',
      'GET /posts/4',
      'GET /posts?_page=1&_limit=1',
    ],
  },
  {
    kind: 'a middleware that is a package',
    args: 'db.json -m ./node_modules/stamp',
    files: {
      ...DATA,
      'node_modules/stamp/package.json': '{"name": "stamp", "main": "lib/stamp.js"}',
      'node_modules/stamp/lib/stamp.js': `module.exports = (req, res, next) => { res.set('X-Stamp', 'yes'); next() }`,
    },
    requests: ['GET /posts/1', 'POST /posts {"title": "New"}'],
  },
  {
    kind: 'a configuration that is a module',
    args: 'db.json -c conf.js',
    files: {
      ...DATA,
      'conf.js': 'module.exports = { routes: "rules.json" }',
      'rules.json': '{"/api/*": "/$1"}',
    },
    requests: ['GET /api/posts', 'GET /posts/1'],
  },
  {
    kind: '--id',
    args: 'db.json --id _id',
    files: {
      'db.json': JSON.stringify({
        posts: [
          { _id: 'a1', title: 'Tea' },
          { _id: 'b2', title: 'Bread' },
        ],
        comments: [{ _id: 1, postId: 'a1' }],
      }),
    },
    requests: [
      'GET /posts/a1',
      'GET /posts/1',
      'GET /posts?_embed=comments',
      'POST /comments {"postId": "b2"}',
      'PUT /posts/b2 {"title": "Put"}',
      'DELETE /comments/1',
      'GET /db',
    ],
  },
  {
    kind: '--foreignKeySuffix',
    args: 'db.json --fks _id',
    files: {
      'db.json': JSON.stringify({
        posts: [{ id: 1, title: 'Tea' }],
        comments: [
          { id: 1, post_id: 1 },
          { id: 2, post_id: 2 },
        ],
      }),
    },
    requests: [
      'GET /posts/1/comments',
      'GET /posts?_embed=comments',
      'GET /comments/1?_expand=post',
      'DELETE /posts/1',
    ],
  },
  {
    kind: '--read-only',
    args: 'db.json --ro',
    files: DATA,
    requests: ['GET /posts', 'GET /posts?q=tea'],
  },
  { kind: '--delay', args: 'db.json -d 20', files: DATA, requests: ORDINARY },
  {
    kind: 'a delay of less than a millisecond',
    args: 'db.json -d 0.5',
    files: DATA,
    requests: ['GET /posts/1'],
  },
  {
    kind: 'no CORS, no compression',
    args: 'db.json --nc --ng',
    files: DATA,
    requests: ['GET /posts', 'GET /posts/1'],
  },
  {
    kind: 'flags that are unknown, negated, empty or repeated, and a second data file',
    args: 'db.json other.json --cors --colour red --no-watch --no-quiet --routes= --host localhost --host 127.0.0.1',
    files: DATA,
    requests: ORDINARY,
  },
  {
    kind: 'rules that cannot be used, among others',
    args: 'db.json -r rules.json',
    files: {
      ...DATA,
      'rules.json': JSON.stringify({
        '/a/:id': '/posts/:other',
        '/b': ['/posts'],
        '/c/*': '/$1',
        '/d(': '/posts',
      }),
    },
    requests: ['GET /c/posts/1', 'GET /posts'],
  },
]
