import { stripVTControlCharacters } from 'node:util'
import { type AppOptions, createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, question, serve, type TestServer, until, withHeaders } from '../support/http'

const servers: TestServer[] = []
const lines: string[] = []

beforeAll(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(stripVTControlCharacters(String(line)))
    return true
  })
})
afterAll(async () => {
  jest.restoreAllMocks()
  await Promise.all(servers.map((server) => server.close()))
})

async function start(options: Partial<AppOptions> = {}): Promise<TestServer> {
  const server = await serve(createApp({ data: data(), allow: 'all', log: true, ...options }))
  servers.push(server)
  return server
}

function data(): Record<string, unknown> {
  return {
    ...sampleData(),
    'büch er': [],
    'with:colon': [],
    cars: [{ id: 1, garageId: 1, tagIds: [1], passengers: [{ name: 'Ada' }], sold: null, seats: [1, 3] }],
    garages: [{ id: 1, title: 'North', views: 100, owner: { name: 'Ada' }, list: { rows: [] } }],
    item: [{ id: 1 }],
    tags: [{ id: 1, itemId: 1 }],
    none: [],
    odd: [{ id: 1, 'views:gt': 1, views_lt: 1, _per_page: 2, _where: '{}' }],
  }
}

/** The line in the log, without the time and the length. */
async function logged(server: TestServer, line: string, headers = {}): Promise<string> {
  lines.length = 0
  await ask(server.url, withHeaders(question(line), headers))
  await until(() => lines.length > 0)
  expect(lines).toHaveLength(1)
  return (lines[0] ?? '').replace(/ [\d.]+ ms - [\d-]+/, '').trim()
}

/** What the log says of a request, in parentheses, on a server that has said nothing yet. */
async function said(line: string, options: Partial<AppOptions> = {}): Promise<string | undefined> {
  return / \d+ \((.*)\)$/.exec(await logged(await start(options), line))?.[1]
}

test.each([
  ['POST /posts', 201],
  ['POST /posts {}', 201],
  ['PUT /posts/1 {}', 200],
])('%s stores nothing but an id, and the log says why', async (line, status) => {
  expect(await logged(await start(), line)).toMatch(new RegExp(` ${status} \\(.*no body`))
})

test.each([
  ['GET /api/post', 'did you mean /api/posts?'],
  ['PATCH /api/posts {}', 'PATCH /api/posts/:id'],
  ['POST /api/posts/1 {}', 'POST /api/posts adds a record'],
  ['GET /api/cars/1/passenger', 'did you mean /api/cars/1/passengers?'],
  ['GET /post', 'did you mean /posts?'],
])('%s is told the path that the application asks for', async (line, words) => {
  expect(await said(line, { routes: { '/api/*': '/$1' } })).toContain(words)
})

test.each(['POST /posts {"title":"a"}', 'PATCH /posts/1 {}'])('%s needs no reason', async (line) => {
  expect(await said(line)).toBeUndefined()
})

test.each([
  ['GET /post', /\/posts\?/],
  ['POST /coments {}', /\/comments\?/],
  ['GET /bchu%20er', /"bchu%20er"[^?]*$/],
  ['GET /with:colons', /\/with:colon\?/],
  ['GET /__nothing', /"__nothing"[^?]*$/],
  ['GET /zzz', /"zzz"[^?]*$/],
  ['GET /600/users', /guard/],
  ['GET /604', /"604"/],
  ['DELETE /660/users/1', /guard/],
  ['GET /zzz%zz', /"zzz%zz"[^?]*$/],
  ['POST /%ff {}', /"%ff"[^?]*$/],
  ['GET /posts/1/%', /path/],
  ['GET /zzz?q=1', /"zzz"[^?]*$/],
  ['DELETE /zzz/7', /"zzz"[^?]*$/],
  ['GET /posts/7', /7.*"posts"/],
  ['HEAD /Posts/7/', /7.*"posts"/],
  ['PUT /posts/7 {}', /7.*"posts"/],
  ['PATCH /posts/7 {}', /7.*"posts"/],
  ['DELETE /posts/a%20b', /a%20b.*"posts"/],
  ['GET /posts/1/coments', /\/posts\/1\/comments\?/],
  ['GET /posts/1/comments/7', /GET \/comments\/7/],
  ['PUT /posts/1/comments {}', /PUT \/comments\/:id/],
  ['GET /posts/1/comments%2F7', /route/],
  ['GET /a/b/c/d', /no "a"/],
  ['GET /api/cars/1', /no "api".*"\/api\/\*".*\/cars$/],
  // What there is in its place
  ['DELETE /posts?id=1', /DELETE \/posts\/1$/],
  ['PATCH /posts?id=a%20b {}', /PATCH \/posts\/:id$/],
  ['PUT /posts {}', /PUT \/posts\/:id$/],
  ['POST /posts/1 {}', /POST \/posts .*PATCH \/posts\/1/],
  ['DELETE /profile', /one object/],
  // Nested data
  ['GET /profile/1', /"1" in \/profile$/],
  ['GET /profile/name', /\/profile\/name .*single value/],
  ['GET /cars/1/2/3', /"2" in \/cars\/1$/],
  ['GET /cars/1/sold', /\/cars\/1\/sold .*single value/],
  ['GET /cars/1/seats/1', /\/cars\/1\/seats .*id 1$/],
  ['GET /cars/1/passengers/0', /\/cars\/1\/passengers .*id 0$/],
  ['DELETE /cars/1/passengers/0/name', /\/cars\/1\/passengers .*id 0$/],
  ['POST /cars/1/passengers/7 {}', /POST \/cars\/1\/passengers .*PATCH \/cars\/1\/passengers\/7/],
  ['GET /cars/9/passengers', /\/cars .*id 9$/],
  ['GET /cars/1/pasengers', /"pasengers".*\/cars\/1\/passengers\?/],
  ['DELETE /cars/1/passengers', /is a list/],
  ['DELETE /garages/1/owner', /is one object/],
  ['GET /garages/1/list/row', /\/garages\/1\/list\/rows\?/],
  ['GET /garages/1/%0A', /"%0A" in/],
  ['POST /login {}', /POST \/auth\/login.*--login \/login/],
  ['POST /api/register {}', /no sign-up, and with --sign-up \/api\/register/],
  ['POST /logout {}', /--logout \/logout/],
  ['POST /auth/refresh {}', /--refresh \/auth\/refresh/],
  ['GET /me', /GET \/auth\/me, and with --me \/me/],
])('there is nothing for %s', async (line, clause) => {
  expect(await said(line)).toMatch(clause)
})

test.each([
  ['POST /login {}', /POST \/api\/login or POST \/auth\/login/],
  ['POST /register {}', /sign-up is POST \/api\/users/],
  ['GET /api/login', /itself is POST \/api\/login/],
  ['POST /api/me {}', /itself is GET \/api\/me/],
  ['GET /api/users', /itself is POST \/api\/users/],
])('there is an own login elsewhere, and nothing for %s', async (line, clause) => {
  const own = { login: '/api/login', signUp: '/api/users', me: '/api/me' }
  expect(await said(line, own)).toMatch(clause)
})

test('a request without a token is told of the own login', async () => {
  const server = await start({ allow: [], login: '/api/login' })
  expect(await logged(server, 'POST /login {}')).toMatch(
    /401 \(.*POST \/api\/login or POST \/auth\/login.*--login \/login/,
  )
})

test.each<readonly [path: string, clause: RegExp]>([
  ['/garages?T=a', /json-server ignored "T".*it$/],
  ['/garages?Titel=a', /"Titel".*title\?/],
  ['/garages?_expnd=x', /_expand\?/],
  ['/garages?_expan=x', /_expand\?/],
  ['/garages?_embd=cars', /_embed\?/],
  ['/garages?_dely=1', /_delay\?/],
  ['/garages?titel_like=a', /no record has "titel", did you mean title\?/],
  ['/garages?view_gte=1', /no record has "view", did you mean views\?/],
  ['/garages?page=2&limit=5', /"page".*_page\?; .*"limit".*_limit\?/],
  ['/cars?passengers.nam=Ada', /"passengers.nam"/],
  ['/cars?_expand=garage&garage.title=North', /"garage.title".*before/],
  ['/garages?_sort=date', /_sort=date/],
  ['/garages?_sort=title,-views', /_sort=views&_order=desc/],
  ['/garages?_page=1&_per_page=5', /_limit$/],
  ['/garages?_page=1&perPage=5', /_limit$/],
  ['/garages?_where={"views":{"gt":100}}', /_where.*_gte/],
  ['/garages?views:gt=9', /views_gt$/],
  ['/garages?views:lt=9&views:gt=1', /views_lt.*views_gt/],
  ['/garages?views:gte=9', /views_gte$/],
  ['/garages?title:ne=Hello', /title_ne$/],
  ['/garages?owner.name:eq=Ada', /owner.name$/],
  ['/garages?id_in=1,2', /id=1&id=2$/],
  ['/garages?title_contains=ell', /title_like=x$/],
  ['/garages?title:startsWith=H', /title_like=\^x$/],
  ['/garages?title:endsWith=o', /title_like=x\$$/],
  ['/cars?sold_is_null', /sold_is=null$/],
  ['/cars?sold_is=1', /null or set$/],
  ['/cars?sold_has=1', /list in "sold"$/],
  ['/cars?sold_notnull=1', /sold_is=set$/],
  ['/garages?_sort=-titel', /ignored _sort=-titel.*title\?$/],
  ['/garages?_sort=id&_order=down', /desc/],
  ['/garages?_sort=id&_order=descasc', /desc/],
  ['/garages?_order=desc', /only with _sort$/],
  ['/garages?_start=1', /_limit/],
  ['/garages?_start=1&_end=&_limit=', /_limit/],
  ...['_page=0', '_page=-1', '_page=1.5', '_page=first', '_page=1&_limit=0', '_page=1&_limit=-1'].map(
    (query) => [`/garages?${query}`, /takes a whole number from 1$/] as const,
  ),
  ...['_limit', '_end', '_end=2&_start'].flatMap((name) =>
    ['-1', '1.5', 'x', '2x'].map(
      (value) => [`/garages?${name}=${value}`, /takes a whole number from 0$/] as const,
    ),
  ),
  ...['_page', '_limit', '_end', '_end=2&_start'].map(
    (name) => [`/garages?${name}=1&${name.replace(/.*&/, '')}=2`, /once.*first$/] as const,
  ),
  ['/garages?_page=1&_start=1', /_start beside _page$/],
  ['/garages?_page=1&_end=1', /_end beside _page$/],
  ['/garages?_end=2&_limit=1', /_limit beside _end$/],
  // Nothing is found
  ['/garages?title=a,b', /title=a&title=b/],
  ['/cars?sold=null', /sold_is=null/],
  ['/cars?seats=1', /seats_has=1/],
  // The text of this list is that of its element, and lists with others are not found.
  ['/cars?tagIds=1', /tagIds_has=1/],
  ['/cars?tagIds_in=1', /tagIds_has=1/],
  ['/cars?seats:contains=1', /seats_has=1/],
  ['/cars?passengers=Ada', /passengers\.id=1/],
  // Relations
  ['/cars?_embed=garage', /_expand=garage\?$/],
  ['/cars?_embed=garges', /_expand=garage\?$/],
  ['/cars/1?_embed=garage', /_expand=garage\?$/],
  ['/cars?_embed=tag', /_expand=tags\?$/],
  ['/garages?_embed=cars&_embed=stranger', /"stranger" for _embed$/],
  ['/garages?_embed=car', /_embed=cars\?$/],
  ['/garages?_embed=car&_embed=car', /^[^;]*_embed=cars\?$/],
  ['/posts/1?_embed=coment', /_embed=comments\?$/],
  ['/tags?_embed=car', /_embed=cars\?$/],
  ['/none?_embed=car', /_embed=cars\?$/],
  ['/garages?_embed=cars.passengers', /one level/],
  ['/garages?_embed=cars,tags', /_embed=cars&_embed=tags$/],
  ['/cars?_expand=garage,post', /_expand=garage&_expand=post$/],
  ['/cars?_embed=garages', /"carId".*_expand=garage\?$/],
  ['/garages?_embed=tags', /"garageId", which no record in "tags" has$/],
  ['/cars?_expand=garages', /_expand=garage\?$/],
  ['/cars?_expand=garag', /_expand=garage\?$/],
  ['/garages?_expand=cars', /_embed=cars\?$/],
  ['/garages?_expand=car', /_embed=cars\?$/],
  ['/cars?_expand=nope', /"nopes", which is not there$/],
  ['/cars?_expand=tag', /_expand=tags\?$/],
  ['/tags/1?_expand=item', /"items", which is not there$/],
  ['/cars?_expand=post', /"postId".* has$/],
])('what json-server has done with GET %s', async (path, clause) => {
  expect(await said(`GET ${path}`)).toMatch(clause)
})

test.each([
  '/garages',
  '/garages?views_gte=9&_page=1&_limit=5&_sort=views&_order=desc&q=N',
  '/garages?_sort=views,id&_order=ASC,desc',
  '/garages?_start=0&_end=2',
  '/garages?_page=&_limit=',
  '/garages?_start=&_end=',
  '/garages?_limit=0',
  '/garages?_end=0&_start=0',
  '/garages?_limit[]=1',
  '/garages?_page=1&_limit=',
  '/garages?_sort=&_order=asc',
  '/garages?_sort=id,&_order=,desc',
  // json-server reads none of these for a record, and we for the first of a list.
  '/garages/1?_limit=x&_start=1&_order=desc&_sort=date',
  '/garages?_one&_limit=x',
  '/garages?_embed=cars',
  '/tags?_embed=cars',
  '/garages?_embed=none',
  '/cars?_expand=garage&_expand=tags',
  '/cars?sold_is=null&seats_has=1',
  '/cars?seats=1,3',
  '/garages?views_gt=9&views_lt=900',
  '/garages?title=North',
  '/garages?title=other',
  '/garages?jsonp=show&callback=show&_=1700000&_delay=1',
  '/garages?%0Aforged=1',
  '/none?T=a&_sort=date&_expand=post',
  '/odd?views:gt=1&views_lt=2&_per_page=2&_where=1',
  '/profile?_per_page=5',
  '/posts/1/comments',
  '/posts/1/comments/1',
  '/cars/1/passengers',
  '/cars?passengers.name=Ada',
  '/cars?passengers.name_like=Ada',
  '/garages?owner.name_like=Ada',
  '/cars?_one',
  '/cars?_one=false',
  '/garages/1/list',
])('nothing is said of GET %s', async (path) => {
  expect(await said(`GET ${path}`)).toBeUndefined()
})

test.each([
  ['GET /cars/1/passengers?_embed=tags', /_embed/],
  ['POST /cars/1/seats {}', /\/cars\/1\/seats/],
])('what is not done with %s', async (line, clause) => {
  expect(await said(line)).toMatch(clause)
})

test('beside middlewares, the log says what gives nested data paths', async () => {
  const middlewares: AppOptions['middlewares'] = [(_request, _response, next) => next()]
  expect(await said('GET /cars/1/passengers', { middlewares })).toMatch(/--nested \(nested: true\)/)
  expect(await said('GET /cars/1/passengers', { middlewares, nested: true })).toBeUndefined()
})

test('whoever names a sandbox where there are none is told each time, and gets the same response', async () => {
  const sandbox = { 'X-Sandbox': 'lab' }
  const server = await start({ faults: [{ method: 'GET', path: '/profile', status: 503 }] })
  for (const line of ['GET /garages/1', 'GET /garages/1', 'DELETE /garages/1', 'GET /api/users.php'])
    expect(await logged(server, line, sandbox)).toMatch(/ 200 \(.*X-Sandbox.*\)$/)
  expect(await logged(server, 'GET /garages/1', sandbox)).toMatch(/ 404 \(no record/)
  expect(await logged(server, 'GET /profile', sandbox)).toMatch(/ 503 \(fault rule 1\)$/)
  expect(await logged(server, 'GET /posts/1')).toMatch(/ 200$/)
  const responses = [{}, sandbox].map(async (headers) => {
    const answer = await ask(server.url, withHeaders(question('GET /posts/1'), headers))
    return { ...answer, headers: { ...answer.headers, date: '' } }
  })
  const [without, named] = await Promise.all(responses)
  expect(named).toEqual(without)
  const withSandboxes = await start({ sandboxes: true })
  expect(await logged(withSandboxes, 'GET /posts/1', sandbox)).toBe('[lab] GET /posts/1 200')
})

test('an ignored name is spoken of each time', async () => {
  const server = await start()
  for (const [path, words] of [
    ['/garages?titel=a', /"titel"/],
    ['/garages?_sort=titel', /_sort=titel/],
  ] as const)
    for (const line of [`GET ${path}`, `GET ${path}`]) expect(await logged(server, line)).toMatch(words)
})

test('where a middleware may have read a name, nobody is said to have ignored it', async () => {
  const middlewares: AppOptions['middlewares'] = [(_request, _response, next) => next()]
  const clause = await said('GET /garages?size=5', { middlewares })
  expect(clause).toMatch(/"size"/)
  expect(clause).not.toMatch(/ignored/)
})

test('what a path holds is shown as it was sent, without secrets, and at most 100 characters of it', async () => {
  const server = await start()
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'
  expect(await logged(server, `GET /posts/${token}`)).toMatch(/^GET \/posts\/\*\*\* 404 \(.*\)$/)
  expect(await logged(server, 'GET /password=lovelace')).toMatch(/^GET \/password=\*\*\* 404 \(.*\)$/)
  for (const path of [
    '/garages/1/list/rows/X',
    '/garages/1/X',
    '/garages/X/owner',
    '/cars/1/seats/X',
    '/X/posts',
  ])
    for (const secret of [token, 'password=lovelace'])
      for (const method of ['GET', 'DELETE', 'POST']) {
        const line = await logged(server, `${method} ${path.replace('X', secret)}`)
        expect(line).toMatch(/\*\*\* 404 \(.+\)$|\*\*\*\/\w+ 404 \(.+\)$/)
        expect(line).not.toMatch(/eyJ|lovelace/)
      }
  expect(await logged(server, 'GET /posts/%0Aforged%1B')).toMatch(/\(.*%0Aforged%1B.*\)$/)
  const long = 'z'.repeat(5000)
  expect(await logged(server, `GET /${long}`)).toMatch(/\(.*"z{100}".*\)$/)
  expect(await logged(server, `GET /posts/${long}`)).toMatch(/\([^z]*z{100}[^z]*\)$/)
  for (const name of [token, `_sort=${token}`, `_embed=${token}`, long, `_expand=${long}`])
    expect(await logged(server, `GET /posts?${name}`)).toMatch(/ 200$/)
})

test('in a sandbox its own data counts', async () => {
  const server = await start({ sandboxes: true })
  const lab = { 'X-Sandbox': 'lab' }
  expect(await logged(server, 'DELETE /posts/1', lab)).toBe('[lab] DELETE /posts/1 200')
  expect(await logged(server, 'GET /posts/1', lab)).toMatch(/^\[lab\] GET \/posts\/1 404 \(.*"posts"\)$/)
  expect(await logged(server, 'GET /posts/1')).toBe('GET /posts/1 200')
})

test('the log shows where a rule has led a request, without secrets', async () => {
  const routes = {
    '/api/*': '/$1',
    '/go/:id': '/posts/:id?token=secret-value',
    '/same': '/same',
    '/login/:name/:password': '/users?name=:name&password=:password',
  }
  const server = await start({ routes })
  expect(await logged(server, 'GET /api/posts?_page=1')).toBe('GET /api/posts?_page=1 -> /posts?_page=1 200')
  expect(await logged(server, 'GET /go/7')).toMatch(
    /^GET \*\*\* -> \/posts\/7\?token=\*\*\* 404 \(.*"posts"\)$/,
  )
  expect(await logged(server, 'GET /login/ada/lovelace?_page=1')).toMatch(
    /^GET \*\*\* -> \/users\?.*password=\*\*\*.* 200/,
  )
  expect(await logged(server, 'GET /same')).toMatch(/^GET \/same 404 \(.*"same".*\)$/)
})
