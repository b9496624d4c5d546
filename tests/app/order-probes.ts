import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import type { AppOptions } from '../../server'
import { ADA } from '../support/data'
import { authorized, type Question } from '../support/http'

/** A request whose response, or line in the log, depends on the order of the steps. */
export interface Probe {
  title: string
  /** Default: everything that a start can turn on, except `readOnly`. */
  options?: Partial<AppOptions>
  question: Question
  /** Whether it carries a token. Default: false. */
  withToken?: boolean
  status: number
  /** Text in the body. */
  text?: RegExp
  /** Text in these headers of the response; undefined for an absent header. */
  headers?: Readonly<Record<string, RegExp | undefined>>
  /** The line in the log. */
  logged?: RegExp
}

export const SANDBOX = { 'X-Sandbox': 'probe' }
const ORIGIN = { Origin: 'https://app.example' }
const ZIPPED = { 'Accept-Encoding': 'gzip' }
const FORM = { 'Content-Type': 'multipart/form-data; boundary=frontier' }
const MALFORMED = { headers: { 'Content-Type': 'application/json' }, body: '{' }
const ROUTES = { '/entry': '/enter', '/open': '/users', '/articles': '/blogs', '/login': '/auth/login' }
const SECRET = 'the secret of the servers whose tokens are made here'
/** There, a rule may lead the login anywhere. */
const OPEN: Partial<AppOptions> = { allow: 'all', routes: ROUTES }
/** json-server's home page, which is elsewhere beside a static folder. */
const BESIDE_FOLDER: Partial<AppOptions> = { ...OPEN, docs: false }
const WITHOUT_FOLDER: Partial<AppOptions> = { ...BESIDE_FOLDER, static: undefined }
const READ_ONLY = { readOnly: true, sandboxes: false, me: ['POST /who', 'PATCH /own'] }
const pass: RequestHandler = (_request, _response, next) => next()
const BESIDE_MIDDLEWARES: Partial<AppOptions> = { ...OPEN, middlewares: [pass] }
const PROVIDER: Partial<AppOptions> = { openid: true, secret: SECRET }
/** It names no sandbox but in its claims. */
const TOKEN_OF_SANDBOX = jwt.sign({ ...ADA, sandbox: 'probe', exp: 9e9 }, SECRET)

/** The parts of a form, each of which is a name, maybe with the name of a file, and a text. */
function formOf(...parts: readonly [name: string, text: string][]): string {
  const lines = parts.flatMap(([name, text]) => [
    '--frontier',
    `Content-Disposition: form-data; name=${name}`,
    '',
    text,
  ])
  return [...lines, '--frontier--', ''].join('\r\n')
}

export const EVERYTHING: Partial<AppOptions> = {
  log: true,
  docs: true,
  sandboxes: true,
  // In order: a login that one rule leads to would be rewritten by the next rule.
  faults: [
    { path: '/api/users.php', method: 'POST', status: 503 },
    { path: '/failing', status: 503 },
    { path: '/answered', status: 202 },
    { path: '/*', when: { body: { wish: 'failure' } }, status: 503 },
  ],
  login: '/enter',
  me: 'POST /who',
  signUp: '/join',
  routes: { '/auth/login': '/comments', 'POST /search': 'GET /posts', ...ROUTES },
}

/**
 * What depends on the order of two neighbours. Where none of these says why, neighbours may change places, because no
 * request is for both of them, or neither does anything that the other looks at:
 *
 * - `ownQuery`, `cutTarget`
 * - `noCache`, `userLookupErrors`, `noteSandbox`
 * - `userLookup`, the page, static files, the home page that is served as one
 * - `accounts.logInOrOut`, the provider, `reads`
 * - `bodyAsQuery`, `ownBody`, `newestData`
 * - after the middlewares: `overrideMethod`, `refuseChanges`, `lateHome`, `accounts.logInAfterMiddlewares`
 * - `ownForm`, `answerFault`
 *
 * That `cutTarget` comes before the log, `showRequests` before `ownRecord`, and `parseMultipart` before `ownForm`, is shown by
 * their own tests.
 */
export const PROBES: readonly Probe[] = [
  {
    title: 'no rule leads a login elsewhere, whatever its method becomes',
    question: { method: 'POST', path: '/auth/login', headers: { 'X-HTTP-Method-Override': 'PUT' } },
    withToken: true,
    status: 404,
    logged: /PUT \/auth\/login 404/,
  },
  {
    title: 'the log shows the path of an absolute target, whichever step responds',
    question: { method: 'OPTIONS', path: 'http://localhost/users', headers: ORIGIN },
    status: 204,
    logged: /^OPTIONS \/users 204/,
  },
  {
    title: 'the log has a line for a preflight, which needs no token',
    question: { method: 'OPTIONS', path: '/users', headers: ORIGIN },
    status: 204,
    headers: { 'cache-control': undefined },
    logged: /OPTIONS \/users 204/,
  },
  {
    title: 'a page of another origin can read why the name of its sandbox is refused',
    question: { path: '/users', headers: { ...ORIGIN, 'X-Sandbox': 'no name!' } },
    status: 400,
    headers: { 'access-control-allow-origin': /app\.example/ },
  },
  {
    title: 'no cache keeps what a route of the sandboxes responds',
    question: { method: 'DELETE', path: '/__sandbox', headers: { 'X-Sandbox': 'gone' } },
    withToken: true,
    status: 204,
    headers: { 'cache-control': /no-cache/ },
  },
  {
    title: 'a fault acts on the user lookup',
    question: { path: '/api/users.php?id=1', headers: { 'X-Sandbox': 'broken' } },
    status: 503,
  },
  {
    title: 'a fault acts on the page',
    question: { path: '/docs', headers: { 'X-Sandbox': 'broken' } },
    status: 503,
  },
  {
    title: 'a fault of the main data has a line in the log, and a page of another origin can read it',
    question: { path: '/failing', headers: ORIGIN },
    status: 503,
    headers: { 'access-control-allow-origin': /app\.example/ },
    logged: /GET \/failing 503/,
  },
  {
    title: 'a fault of the main data acts on no sandbox',
    question: { path: '/failing', headers: SANDBOX },
    status: 401,
  },
  {
    title: 'a fault of the main data acts on the user lookup',
    question: { method: 'POST', path: '/api/users.php' },
    status: 503,
  },
  {
    title: 'no cache keeps the user lookup',
    question: { path: '/api/users.php' },
    status: 200,
    headers: { 'cache-control': /no-cache/ },
  },
  {
    title: 'no cache keeps the document',
    question: { path: '/openapi.json' },
    status: 200,
    headers: { 'cache-control': /no-cache/ },
  },
  {
    title: 'the page comes ahead of a file at its address',
    question: { path: '/docs/' },
    status: 302,
    headers: { location: /docs$/ },
  },
  {
    title: 'a file is served in a sandbox, too, and caches may keep it',
    question: { path: '/page.html', headers: SANDBOX },
    status: 200,
    text: /the file page/,
    headers: { 'cache-control': /public/ },
  },
  {
    title: 'the user lookup is served in a sandbox, too',
    question: { path: '/api/users.php', headers: SANDBOX },
    status: 200,
  },
  {
    title: 'a request for a sandbox meets the data of that sandbox',
    question: { path: '/posts', headers: SANDBOX },
    withToken: true,
    status: 200,
    text: /^\[\]$/,
  },
  {
    title: 'the public list of a sandbox is its own',
    question: { path: '/blogs', headers: SANDBOX },
    status: 200,
    text: /"blogs": \[\]/,
  },
  {
    title: 'a token in the body of a request to the provider leads it into the sandbox of the token',
    options: PROVIDER,
    question: {
      method: 'POST',
      path: '/protocol/openid-connect/revoke',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `token=${TOKEN_OF_SANDBOX}`,
    },
    status: 200,
    headers: { 'x-sandbox': /probe/ },
  },
  {
    title: 'a rule leads to a protected resource, which still needs a token',
    question: { path: '/open' },
    status: 401,
  },
  {
    title: 'a rule leads to a protected resource',
    question: { path: '/open' },
    withToken: true,
    status: 200,
    text: /Grace/,
  },
  { title: 'a rule leads to the public list', question: { path: '/articles' }, status: 200 },
  {
    title: 'a rule leads to the login',
    question: { method: 'POST', path: '/login', headers: authorized(''), body: JSON.stringify(ADA) },
    status: 200,
    text: /access_token/,
  },
  {
    title: 'no rule takes what is sent as a login elsewhere, whatever its method becomes',
    question: { method: 'POST', path: '/auth/login', headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    withToken: true,
    status: 404,
  },
  {
    title: 'what a header makes a DELETE is no login',
    question: {
      method: 'POST',
      path: '/auth/login',
      headers: { ...authorized(''), 'X-HTTP-Method-Override': 'DELETE' },
      body: JSON.stringify(ADA),
    },
    status: 401,
  },
  {
    title: 'a rule leads to a login of another shape, which needs no token',
    question: { method: 'POST', path: '/entry', headers: authorized(''), body: JSON.stringify(ADA) },
    status: 200,
    text: /accessToken/,
  },
  {
    title: 'who somebody is can be asked by a POST, though the server is read-only',
    question: { method: 'POST', path: '/who' },
    options: READ_ONLY,
    withToken: true,
    status: 200,
  },
  {
    title: 'a sign-up can be delayed, as every POST',
    question: {
      method: 'POST',
      path: '/join?_delay[toString]=x',
      headers: authorized(''),
      body: JSON.stringify({ email: 'delayed@example.com', password: 'x' }),
    },
    status: 400,
  },
  {
    title: 'a sign-up needs no token, and stores a user',
    question: {
      method: 'POST',
      path: '/join',
      headers: authorized(''),
      body: JSON.stringify({ email: 'joined@example.com', password: 'x' }),
    },
    status: 201,
    text: /accessToken/,
  },
  {
    title: 'a response of the router depends on the header that changes the method',
    question: { method: 'POST', path: '/nothing' },
    withToken: true,
    status: 404,
    headers: { vary: /X-HTTP-Method-Override/ },
  },
  {
    title: 'so does a response to a delay that is refused, which the router reads',
    question: { method: 'POST', path: '/nothing?_delay[a]=1' },
    withToken: true,
    status: 400,
    headers: { vary: /X-HTTP-Method-Override/ },
  },
  {
    title: 'what is sent ahead of the router does not depend on the header that changes the method',
    options: BESIDE_FOLDER,
    question: { method: 'POST', path: '/style.css', headers: { 'X-HTTP-Method-Override': 'GET' } },
    status: 200,
    headers: { vary: /^Origin, Accept-Encoding$/ },
  },
  { title: 'the public list needs no token', question: { path: '/blogs' }, status: 200, text: /"blogs"/ },
  {
    title: 'the login reads its own body, however large those behind the token check may be',
    question: {
      method: 'POST',
      path: '/auth/login',
      headers: authorized(''),
      body: JSON.stringify({ ...ADA, filler: 'x'.repeat(11_000) }),
    },
    status: 413,
  },
  {
    title: 'without a token nothing is parsed',
    question: { method: 'POST', path: '/users', ...MALFORMED },
    status: 401,
  },
  {
    title: 'without a token nothing is compressed',
    question: { path: '/users', headers: ZIPPED },
    status: 401,
    headers: { vary: /^Origin$/ },
  },
  { title: 'the requests that were made need a token', question: { path: '/docs/requests' }, status: 401 },
  { title: 'the rules need a token', question: { path: '/__rules' }, status: 401 },
  {
    title: 'the rules may be compressed',
    question: { path: '/__rules', headers: ZIPPED },
    withToken: true,
    status: 200,
    headers: { vary: /Accept-Encoding/ },
  },
  {
    title: 'the rules are shown whatever the body of the request',
    question: { path: '/__rules', ...MALFORMED },
    withToken: true,
    status: 200,
  },
  {
    title: 'a fault looks at a body that is parsed',
    question: { method: 'POST', path: '/nothing', body: '{"wish": "failure"}' },
    withToken: true,
    status: 503,
  },
  {
    title: 'a fault looks at the body of a search before that becomes a query',
    question: { method: 'POST', path: '/search', body: '{"wish": "failure"}' },
    withToken: true,
    status: 503,
  },
  {
    title: 'an answer needs a token',
    question: { path: '/answered' },
    status: 401,
  },
  {
    title: 'an answer takes the place of a resource that is not there',
    question: { path: '/answered' },
    withToken: true,
    status: 202,
  },
  {
    title: 'a password in a form with parts is stored as a hash, as any other',
    question: { method: 'PATCH', path: '/users/3', headers: FORM, body: formOf(['"password"', 'new']) },
    withToken: true,
    status: 200,
    text: /"password": "\$2/,
  },
  {
    title: 'a sign-up by a form with a picture says that nothing stores it',
    question: {
      method: 'POST',
      path: '/join',
      headers: FORM,
      body: formOf(
        ['"email"', 'parts@example.com'],
        ['"password"', 'new'],
        ['"picture"; filename="me.png"', 'bytes'],
      ),
    },
    status: 415,
  },
  {
    title: 'a login depends on no header that changes the method, where middlewares come first',
    options: BESIDE_MIDDLEWARES,
    question: {
      method: 'POST',
      path: '/auth/login',
      headers: authorized(''),
      body: JSON.stringify(ADA),
    },
    status: 200,
    headers: { vary: /^Origin, Accept-Encoding$/ },
  },
  {
    title: 'who am I is delayed beside middlewares, too',
    options: BESIDE_MIDDLEWARES,
    question: { path: '/auth/me?_delay[a]=1' },
    withToken: true,
    status: 400,
  },
  {
    title: 'who am I is a path that the data does not have',
    question: { path: '/auth/me' },
    withToken: true,
    status: 200,
    text: /ada@/,
  },
  {
    title: 'the log says why the router has nothing for a request',
    question: { path: '/blog-posts' },
    withToken: true,
    status: 404,
    logged: /GET \/blog-posts 404 .*\(.*"blog-posts"/,
  },
  {
    title: 'a delay that is not a number is refused, whichever step would respond',
    question: { path: '/auth/me?_delay[a]=1' },
    withToken: true,
    status: 400,
  },
  {
    title: 'a server that is open to all has a line in the log for a page of another site that it refuses',
    options: OPEN,
    question: { path: '/users', headers: ORIGIN },
    status: 403,
    headers: { 'access-control-allow-origin': undefined },
    logged: /GET \/users 403 .*\(.*localhost\)/,
  },
  {
    title: 'the home page has a line in the log, is served in a sandbox, too, and caches may keep it',
    options: WITHOUT_FOLDER,
    question: { path: '/', headers: SANDBOX },
    status: 200,
    text: /<title>JSON Server/,
    headers: { 'cache-control': /public/ },
    logged: /GET \/ 200/,
  },
  {
    title: 'beside a static folder, neither the router nor a delay keeps anybody from the home page',
    options: BESIDE_FOLDER,
    question: { path: '/style.css?_delay[a]=1' },
    status: 200,
  },
  {
    title: 'a read-only server tells nobody without a token that it is one',
    options: READ_ONLY,
    question: { method: 'DELETE', path: '/users/1' },
    status: 401,
  },
  {
    title: 'a read-only server refuses a change before it compresses anything',
    options: READ_ONLY,
    question: { method: 'DELETE', path: '/users/1', headers: ZIPPED },
    withToken: true,
    status: 403,
    headers: { vary: /^Origin$/ },
  },
  {
    title: 'a read-only server refuses a change before it reads its body',
    options: READ_ONLY,
    question: { method: 'PUT', path: '/users/1', ...MALFORMED },
    withToken: true,
    status: 403,
  },
  {
    title: 'a read-only server refuses a change of the own record',
    options: READ_ONLY,
    question: { method: 'PATCH', path: '/own', body: '{}' },
    withToken: true,
    status: 403,
  },
]
