import type { Question } from '../support/http'

/** A typical setup of json-server: its files, its arguments, and requests to it, in order. */
export interface Setup {
  kind: string
  /** `<remote>` stands for the URL of a server that gives the data. */
  args: string
  files: Readonly<Record<string, string>>
  /** A method, a path and maybe a JSON body; or a request that cannot be written that way. */
  requests: readonly (string | Question)[]
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

/** Requests that most clients send for a collection. */
const ORDINARY = [
  ...READS,
  'POST /posts {"title": "New", "userId": 2}',
  'PUT /posts/2 {"title": "Put"}',
  'PATCH /posts/3 {"views": 51}',
  'DELETE /posts/1',
  'PATCH /settings {"theme": "light"}',
  'GET /db',
]

const SITE = {
  'index.html': `<!doctype html><title>A site</title>${'<p>Long enough to be compressed.</p>'.repeat(50)}`,
  'style.css': 'body { color: black }',
  'pictures/tea.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'sub/index.html': '<!doctype html><title>Below</title>',
}
const REQUESTS_TO_SITE = [
  'GET /',
  'HEAD /',
  'GET /index.html',
  'GET /style.css',
  'GET /pictures/tea.svg',
  'GET /sub/',
  'GET /sub',
  'GET /missing.css',
  'GET /posts/1',
]

function siteIn(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(SITE).map(([name, text]) => [`${folder}/${name}`, text]))
}

export const SETUPS: readonly Setup[] = [
  {
    kind: 'a data file',
    args: 'db.json',
    files: DATA,
    requests: [
      ...ORDINARY,
      'POST /posts/2/comments {"body": "Nested"}',
      'GET /posts/2/comments',
      'GET /users/9/posts',
      'GET /db',
    ],
  },
  {
    kind: '--watch ahead of the data file, and a static folder that does not exist',
    args: '--watch db.json -s missing',
    files: DATA,
    requests: [...READS, 'GET /note.txt'],
  },
  {
    kind: 'a data file named json-server.json',
    args: 'json-server.json',
    files: { 'json-server.json': DATA['db.json'] },
    requests: ORDINARY,
  },
  {
    kind: 'rules with wildcards, parameters and queries, and some that cannot be used',
    args: 'db.json --routes rules.json',
    files: {
      ...DATA,
      'rules.json': JSON.stringify({
        '/api/*': '/$1',
        '/:resource/:id/show': '/:resource/:id',
        '/articles\\?id=:id': '/posts/:id',
        '/category/:category': '/posts?category=:category',
        '/top': '/posts?_sort=views&_order=desc&_limit=1',
        '/v1/*/*': '/$1/$2',
        '/v1/*': '/$1',
        '/a/:id': '/posts/:other',
        '/b': ['/posts'],
        '/d(': '/posts',
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
      'GET /v1/posts/1',
      'GET /v1/posts',
      'PATCH /v1/posts/1 {"views": 1}',
      'GET /api/unknown',
      'GET /posts',
    ],
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
    kind: 'a configuration that is a module, and a middleware that is a package',
    args: 'db.json -c conf.js -m ./node_modules/stamp',
    files: {
      ...DATA,
      'conf.js': 'module.exports = { routes: "rules.json" }',
      'node_modules/stamp/package.json': '{"name": "stamp", "main": "lib/stamp.js"}',
      'node_modules/stamp/lib/stamp.js': `module.exports = (req, res, next) => { res.set('X-Stamp', 'yes'); next() }`,
      'rules.json': '{"/api/*": "/$1"}',
    },
    requests: ['GET /api/posts', 'GET /posts/1', 'POST /posts {"title": "New"}', 'GET /__rules'],
  },
  {
    kind: '--id and --foreignKeySuffix',
    args: 'db.json --id _id --fks _key',
    files: {
      'db.json': JSON.stringify({
        posts: [
          { _id: 'a1', title: 'Tea' },
          { _id: 'b2', title: 'Bread' },
        ],
        comments: [
          { _id: 1, post_key: 'a1' },
          { _id: 2, post_key: 'b2' },
        ],
      }),
    },
    requests: [
      'GET /posts/a1',
      'GET /posts/1',
      'GET /posts/a1/comments',
      'GET /comments/1?_expand=post',
      'POST /comments {"post_key": "b2"}',
      'PUT /posts/b2 {"title": "Put"}',
      'DELETE /comments/1',
      'GET /db',
    ],
  },
  {
    kind: 'read-only, no CORS, no compression, a delay of less than a millisecond',
    args: 'db.json --ro --nc --ng -d 0.5',
    files: DATA,
    requests: ['GET /posts', 'GET /posts?q=tea', 'GET /posts/1'],
  },
  {
    kind: 'flags that are unknown, negated, empty or repeated, a second data file, and a delay',
    args: 'db.json other.json --cors --colour red --no-watch --no-quiet --routes= --host localhost --host 127.0.0.1 -d 20',
    files: DATA,
    requests: ORDINARY,
  },
  {
    kind: 'middlewares that respond, take bodies of every kind, and refuse; one is named without an extension',
    args: 'db.json -m ./server/login -m ./bodies.js --middlewares guard.js',
    files: {
      ...DATA,
      'server/login.js': `module.exports = (req, res, next) => {
        if (req.method === 'POST' && req.path === '/login') {
          const { username } = req.body
          if (username === 'ada') return res.status(200).json({ user: { token: '123' } })
          return res.status(400).json({ message: 'Unknown user' })
        }
        if (req.path === '/time') return res.send('noon')
        if (req.path === '/picture') return res.type('png').send(Buffer.from([1, 2, 3]))
        next()
      }`,
      'bodies.js': `module.exports = (req, res, next) => {
        if (Array.isArray(req.body)) return res.status(201).jsonp(req.body.map((item) => ({ ...item, saved: true })))
        if (req.path === '/patch') return res.jsonp(req.body)
        if (req.path !== '/upload') return next()
        let length = 0
        req.on('data', (chunk) => { length += chunk.length })
        req.on('end', () => res.jsonp({ length, body: req.body }))
      }`,
      'guard.js': `module.exports = (req, res, next) => {
        if (req.method === 'DELETE') return res.status(403).jsonp({ error: 'No deletes' })
        if (req.method === 'POST' && !req.body.title) return res.status(422).send({ errors: ['title is missing'] })
        next()
      }`,
    },
    requests: [
      'POST /login {"username": "ada"}',
      'POST /login {"username": "eve"}',
      'GET /time',
      'GET /picture',
      'GET /posts/1',
      'POST /posts [{"id": 1}, {"id": 2}]',
      {
        method: 'POST',
        path: '/upload',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntea\r\n--x--\r\n',
      },
      {
        method: 'PATCH',
        path: '/patch',
        headers: { 'Content-Type': 'application/json-patch+json' },
        body: '[{"op": "remove", "path": "/title"}]',
      },
      'GET /posts/1',
      'DELETE /posts/1',
      'POST /posts {}',
      'POST /posts {"title": "New"}',
      'GET /posts/1',
      'GET /posts/4',
    ],
  },
  {
    kind: 'a configuration with every key',
    args: 'db.json',
    files: {
      ...DATA,
      ...siteIn('site'),
      'rules.json': '{"/api/*": "/$1"}',
      'hello.js': `module.exports = (req, res, next) => { res.set('X-Hello', 'World'); next() }`,
      'snaps/.keep': '',
      'json-server.json': JSON.stringify({
        port: 0,
        host: 'localhost',
        watch: true,
        routes: 'rules.json',
        middlewares: ['./hello.js'],
        static: './site',
        'read-only': false,
        'no-cors': true,
        'no-gzip': true,
        snapshots: './snaps',
        delay: 5,
        id: 'id',
        foreignKeySuffix: 'Id',
        quiet: false,
      }),
    },
    requests: [
      'GET /api/posts',
      'GET /posts/1',
      'POST /api/posts {"title": "New"}',
      'GET /style.css',
      'GET /',
    ],
  },
  {
    kind: 'a site beside the data',
    args: 'db.json --static site',
    files: { ...DATA, ...siteIn('site') },
    requests: REQUESTS_TO_SITE,
  },
  {
    kind: 'middlewares that write, and reset the data',
    args: 'db.json -m ./reset -m ./log.js',
    files: {
      'db.json': JSON.stringify({ ...POSTS, logs: [] }),
      'reset.js': `module.exports = (req, res, next) => {
        if (req.method !== 'POST' || req.path !== '/reset') return next()
        req.app.db.setState({ posts: [{ id: 7, title: 'Reset' }], users: [], comments: [], logs: [], settings: {} })
        res.sendStatus(200)
      }`,
      'log.js': `module.exports = (req, res, next) => {
        if (req.method === 'POST') req.app.db.get('logs').push({ id: req.app.db.get('logs').size() + 1, url: req.url }).write()
        next()
      }`,
    },
    requests: [
      'POST /posts {"title": "New"}',
      'GET /logs',
      'POST /comments {"postId": 1}',
      'GET /logs/2',
      'GET /db',
      'POST /posts {"title": "Before"}',
      'POST /reset {}',
      'GET /posts',
      'GET /posts/7',
      'POST /posts {"title": "After"}',
      'GET /posts/1/comments',
      'GET /db',
    ],
  },
  {
    kind: 'a site in the folder of the data, with a rule for one of its files',
    args: 'data.json --static . -r rules.json',
    files: {
      'data.json': DATA['db.json'],
      ...SITE,
      'rules.json': '{"/style.css": "/posts", "/api/*": "/$1"}',
    },
    requests: ['GET /style.css', 'GET /pictures/tea.svg', 'GET /api/posts/1', 'GET /posts/1'],
  },
  {
    kind: 'the data in the folder public',
    args: 'public/db.json',
    files: { 'public/db.json': DATA['db.json'], ...siteIn('public') },
    requests: [...REQUESTS_TO_SITE, 'POST /posts {"title": "New"}', 'GET /posts/4'],
  },
  {
    kind: 'an empty data file',
    args: 'db.json',
    files: { 'db.json': '' },
    requests: ['GET /db', 'GET /posts'],
  },
]
