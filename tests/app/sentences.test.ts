/**
 * Every sentence that a person reads, to the letter, as a list: what was asked or started, and what the program says. All other
 * tests look for a status, a field or a key word, so that a sentence may change here alone.
 */
import fs from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { hashSync } from 'bcryptjs'
import jwt from 'jsonwebtoken'
import { explainError } from '../../lib/cli/explain-error'
import { readCommandLine } from '../../lib/cli/flags/command-line'
import { startText } from '../../lib/cli/start-text'
import { loadMiddlewares, readRules, tlsFiles } from '../../lib/cli/user-files'
import { warnings } from '../../lib/cli/warnings'
import { DataFile } from '../../lib/data/data-file'
import { NotDurableError, notReadable, notSaved, notUsable } from '../../lib/data/file/file-errors'
import { openSource } from '../../lib/data/open-data'
import type { Data } from '../../lib/data/valid-data'
import { isRecord } from '../../lib/is-record'
import { SANDBOX_LIMITS } from '../../lib/options/sandboxes/sandboxes'
import { openSandbox } from '../../lib/testing'
import { version } from '../../package.json'
import type { AppOptions } from '../../server'
import { startedFor } from '../lib/cli/started'
import { makeApp } from '../support/built-in-routes'
import { ADA, newFolder, removeFolders, sampleData } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  json,
  logIn,
  type Question,
  question,
  serve,
  type TestServer,
  until,
  withHeaders,
} from '../support/http'
import { testOfUnix } from '../support/platform'

const SECRET = 'the signing secret of these tests only'
const MOMENT = Date.UTC(2026, 0, 1) / 1000
const bearer = (claims: object, secret = SECRET) => ({
  Authorization: `Bearer ${jwt.sign({ ...ADA, ...claims }, secret)}`,
})

type Headers = Record<string, string>

/** What is asked, what is said of it, and with which headers it is asked. */
type Row = [asked: string, sentence: string, headers?: Headers]
const LAB = { 'X-Sandbox': 'lab', ...bearer({ exp: 9e9, sandbox: 'lab' }) }
const TEXT = { 'Content-Type': 'text/plain' }
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
/** More than the server takes, and than the title of a test should hold. */
const LONG = {
  '{large}': ' '.repeat(11_000_000),
  '{long}': 'x'.repeat(20_000),
  '{nested}': `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`,
}

function questionOf(line: string): Question {
  return question(Object.entries(LONG).reduce((text, [name, long]) => text.replace(name, long), line))
}

let server: TestServer
let token: Headers
const lines: string[] = []

/** Serves the sample data to the tests of a block, and keeps its log. */
function useServer(options: Partial<AppOptions> = {}): void {
  beforeAll(async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {})
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(stripVTControlCharacters(String(line)))
      return true
    })
    server = await serve(makeApp({ data: sampleData(), secret: SECRET, log: true, ...options }).app)
    token = { Authorization: authorized(await logIn(server.url)).Authorization ?? '' }
    await until(() => lines.length > 0)
  })
  afterAll(async () => {
    jest.restoreAllMocks()
    await server.close()
  })
}

/** Sends a request, and waits for its line in the log. */
async function askLogged(line: string, headers: Headers): Promise<Answer> {
  lines.length = 0
  const answer = await ask(server.url, withHeaders(questionOf(line), headers))
  await until(() => lines.length > 0)
  return answer
}

/** What a response says in its body. */
async function errorOf(line: string, headers: Headers = {}): Promise<unknown> {
  const body = json(await askLogged(line, { ...token, ...headers }))
  return isRecord(body) ? (body.error ?? body.message) : body
}

/** What the log says of a request, in parentheses after its status. */
async function reasonOf(line: string, headers: Headers = token): Promise<string | undefined> {
  await askLogged(line, headers)
  return /\((.*)\)\n$/.exec(lines.join(''))?.[1]
}

/** One test for a list, so that a sentence that changes breaks one test. */
async function expectSaid<Given extends [given: unknown, sentence: string | undefined, ...unknown[]]>(
  rows: readonly Given[],
  say: (row: Given) => unknown,
): Promise<void> {
  const said: unknown[] = []
  for (const row of rows) said.push([row[0], await say(row)])
  expect(said).toEqual(rows.map(([given, sentence]) => [given, sentence]))
}

/** The message of the error that something throws. */
async function refusal(use: () => unknown): Promise<string> {
  try {
    await use()
    return 'It is not refused.'
  } catch (error) {
    return String(isRecord(error) ? error.message : error)
  }
}

const EVERYTHING: Partial<AppOptions> = {
  sandboxes: true,
  routes: { '/go/:id': '/posts/:id', '/all': '/posts', 'POST /search': 'GET /posts' },
  faults: [{ path: '/failing', status: 503 }],
  middlewares: [
    (request, _response, next) => next(request.path === '/broken' ? new Error('lovelace') : undefined),
  ],
}

/** Data on which relations and filters go wrong. */
const CARS: Data = {
  ...sampleData(),
  cars: [{ id: 1, garageId: 1, tagIds: [1], sold: null, seats: [1, 3], parts: [{ id: 1 }] }],
  garages: [{ id: 1, title: 'North', views: 100 }],
}

describe('of a server with everything', () => {
  useServer(EVERYTHING)

  test('the error in a response to', () =>
    expectSaid<Row>(
      [
        ['GET /broken', 'The server could not handle this request; its console says why.'],
        ['GET /failing', 'A fault rule made this request fail.'],
        ['GET /posts/1/%', 'The path is not valid: a % in it must begin the code of a UTF-8 character.'],
        // Bodies
        [
          'POST /posts {',
          'The request body must be valid JSON: an object in braces, with names and texts in double quotes.',
        ],
        ['PUT /posts/1 []', 'The body must be a JSON object, in braces.'],
        [
          'POST /posts []',
          'The body must be a JSON object, in braces: beside middlewares, which look at one record, a list is stored by one of them ("Many records at once" in docs/data.md).',
        ],
        [
          'POST /posts --x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n1\r\n--x--',
          'A form with a file, or of more than 100 kB, needs a middleware that stores it: "Upload of pictures" in docs/data.md.',
          MULTIPART,
        ],
        ['POST /search [1]', 'The body of a search must be a JSON object, in braces, or a form.'],
        [
          'POST /search {"a": {}}',
          'The field "a" of a search must be a text, a number, true or false, or a list of these.',
        ],
        ['POST /search {"a": "{long}"}', 'The body of a search must not be longer than a query: 16 kB.'],
        [
          'POST /posts {"a": 1}',
          'JSON was sent as a form: send the header Content-Type: application/json.',
          FORM,
        ],
        [
          'POST /posts text',
          'The body must be JSON or a form: send the header Content-Type: application/json.',
          TEXT,
        ],
        [
          'POST /posts {}',
          'The Content-Encoding of the request body must be gzip or deflate, or be left out.',
          { 'Content-Encoding': 'nonsense' },
        ],
        [
          'POST /posts {}',
          'The charset of the request body is not supported: use UTF-8.',
          { 'Content-Type': 'application/json; charset=latin1' },
        ],
        ['POST /posts {large}', 'The request body is larger than 10,240 kB.'],
        ['POST /posts {"toString": 1}', 'The body must not have a field named "toString".'],
        [
          'POST /posts {"id": {}}',
          '"id" must be a number up to 9007199254740991, or a string of at most 1000 whole characters, or be left out: no URL leads to another.',
        ],
        ['POST /posts {"id": 1}', 'A record with the id 1 already exists.'],
        ['POST /posts {nested}', 'The body must not be nested deeper than 100 levels.'],
        // Queries
        [
          'GET /posts?title[a]=b',
          'The query parameter "title" must be a string or a list: leave out the name in brackets.',
        ],
        [
          'GET /posts?_sort=id&_sort=title',
          'The query parameter "_sort" may be given once: separate several fields by commas.',
        ],
        [
          'GET /posts?title_like=[',
          'The regular expression in "_like" is not valid: put a backslash before each special character.',
        ],
        [
          'GET /posts?title_like=\\b\\b\\b\\b\\b',
          'The regular expression in "title_like" must not be longer than 500 characters, or have more than 4 word boundaries.',
        ],
        // The built-in routes
        ['GET /blogs/9', 'Blog not found'],
        ['GET /api/users.php?id=x', 'Invalid parameter'],
        ['GET /api/users.php?id=9', 'User not found'],
        ['POST /api/users.php {}', 'Method not allowed'],
        // Sandboxes
        [
          'GET /posts',
          'X-Sandbox must be 1 to 64 letters, digits, dots, underscores or hyphens.',
          { 'X-Sandbox': 'a b' },
        ],
        [
          'POST /__sandbox/reset',
          'Name a sandbox: send the header X-Sandbox, or a token from a login in one.',
        ],
        [
          'POST /__sandbox/reset text',
          'The body must be JSON: send the header Content-Type: application/json.',
          { ...LAB, ...TEXT },
        ],
        [
          'POST /__sandbox/reset []',
          'The body must be a JSON object of collections, in braces, or be left out.',
          LAB,
        ],
        [
          'POST /__sandbox/reset {"blogs": 5}',
          'The data has "blogs", which is a number: it must be an array or an object.',
          LAB,
        ],
        [
          'POST /__sandbox/reset {"blog": []}',
          'There is no "blog": did you mean "blogs"? To begin with an empty one, add "blog": [] to the data file.',
          LAB,
        ],
        ['PUT /__sandbox/faults {}', 'The rules must be a JSON array, in brackets.', LAB],
        [
          'PUT /__sandbox/faults [1]',
          'Rule 1 must be an object, for instance {"path": "/blogs", "status": 503}.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "colour": "red"}]',
          'Rule 1 has "colour", but can only have method, path, status, body, headers, delay, probability, seed, drop, times, when, repeat.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 503, "when": 1}]',
          'Rule 1 has a wrong "when": it must be an object with query, headers or body, for instance {"query": {"page": 2}}, not deeper than 100 levels.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 503, "repeat": 1}]',
          'Rule 1 has a wrong "repeat": it must be true, or be left out.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 503, "repeat": true}]',
          'Rule 1 has "repeat", which needs "times": without it, it never ends.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 503, "times": 1, "repeat": true}, {"path": "/x", "drop": true}]',
          'Rule 1 has "repeat", but rule 2 has the same path: write it in the last of them.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"status": 503}]',
          'Rule 1 needs a "path", for instance "/blogs/:id" or "/*".',
          LAB,
        ],
        ['PUT /__sandbox/faults [{"path": "/x"}]', 'Rule 1 needs a "status", a "delay" or a "drop".', LAB],
        [
          'PUT /__sandbox/faults [{"path": "/x", "delay": 5, "body": 1}]',
          'Rule 1 has a "body" or "headers", which need a "status".',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 503, "drop": true}]',
          'Rule 1 has both a "status" and a "drop": without a connection there is no status.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "x"}]',
          'Rule 1 has a wrong "path": it must be a path as it is sent, for instance "/blogs/:id" or "/api/*", without a query.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "method": "post"}]',
          'Rule 1 has a wrong "method": it must be an HTTP method in capitals, for instance "POST".',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "headers": []}]',
          'Rule 1 has a wrong "headers": it must be an object of valid headers, without connection, content-length, trailer, transfer-encoding.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "drop": false}]',
          'Rule 1 has a wrong "drop": it must be true, or be left out.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "times": 0}]',
          'Rule 1 has a wrong "times": it must be an integer from 1.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 7}]',
          'Rule 1 has a wrong "status": it must be an integer from 200 to 599.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "delay": [9, 1]}]',
          'Rule 1 has a wrong "delay": it must be an integer from 0 to 60000, in milliseconds, or a range, for instance ' +
            '[200, 1500].',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "probability": 20}]',
          'Rule 1 has a wrong "probability": it must be a number from 0 to 1, for instance 0.2.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "seed": "a"}]',
          'Rule 1 has a wrong "seed": it must be an integer, for instance 7.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/x", "status": 204, "body": 1}]',
          'Rule 1 has a "body", but a response with the "status" 204 has none.',
          LAB,
        ],
        [
          'PUT /__sandbox/faults [{"path": "/auth/login", "status": 200}]',
          'Rule 1 has a "status" below 400 for the "path" /auth/login, where the server itself says who is logged in: ' +
            'give it a "status" from 400, a "delay" or a "drop".',
          LAB,
        ],
        [
          'PUT /__sandbox/clock {"advance": "an hour"}',
          '"advance" must be a time with its unit, as in {"advance": "61m"}: 90s, 61m, 2h or 7d.',
          LAB,
        ],
        [
          'PUT /__sandbox/clock {"advance": "366d"}',
          '"advance" is too much: in all, a sandbox can be 365 days ahead. A reset sets it back.',
          LAB,
        ],
        [
          'PUT /__sandbox/sessions {"refreshOnce": 1}',
          '"refreshOnce" must be true or false, as in {"refreshOnce": true}.',
          LAB,
        ],
        [
          'PUT /__sandbox/sessions {"refreshOnce": true}',
          'This server gives nobody a refresh token: start it with --refresh and a path.',
          LAB,
        ],
        [
          'GET /__sandbox/requests?path=/a&path=/b',
          'The query parameter "path" must be one string: give it once.',
          LAB,
        ],
      ],
      ([line, , headers]) => errorOf(line, headers),
    ))

  test('the reason in the log for a token, which the challenge repeats', () =>
    expectSaid<Row>(
      [
        ['no header', 'there is no Authorization header', {}],
        [
          'another scheme',
          'the Authorization header must be "Bearer" with a capital B, one space and the token',
          { Authorization: 'Basic YWRhOmxvdmVsYWNl' },
        ],
        [
          'nothing after Bearer',
          'there is no token after "Bearer": has the login failed?',
          { Authorization: 'Bearer ' },
        ],
        [
          'the word undefined',
          'the token is the word undefined: the login sends it as access_token',
          { Authorization: 'Bearer undefined' },
        ],
        [
          'quotation marks',
          'the token stands in quotation marks: send it without them',
          { Authorization: 'Bearer "abc"' },
        ],
        [
          'an object',
          'a script has put an object into the header, in the place of the token that is in it',
          { Authorization: 'Bearer [object Object]' },
        ],
        ['an expired token', 'the token expired at 2026-01-01T00:00:00.000Z', bearer({ exp: MOMENT })],
        [
          'a token from before a restart',
          'the token is signed with another secret (without JWT_SECRET, each start makes a new one)',
          bearer({ exp: 9e9 }, 'the secret before'),
        ],
        [
          'a word that is no token',
          'this server did not make the token: its own have the algorithm HS256, or ES256 with --openid, and an expiry',
          { Authorization: 'Bearer lovelace' },
        ],
        [
          'a token without an expiry',
          'this server did not make the token: its own have the algorithm HS256, or ES256 with --openid, and an expiry',
          bearer({}),
        ],
      ],
      ([, , headers]) => reasonOf('GET /users', headers),
    ))

  test('the reason in the log of', () =>
    expectSaid<Row>(
      [
        [
          'POST /login',
          'there is no Authorization header; the login is POST /auth/login, and with --login /login there is one here',
          {},
        ],
        [
          'POST /auth/me',
          'there is no Authorization header; the route of the server itself is GET /auth/me',
          {},
        ],
        [
          'GET /users',
          'there is no Authorization header; --token-in token would read the token in that header',
          { Token: jwt.sign({ exp: 9e9 }, SECRET) },
        ],
        [
          `GET /users?t=${jwt.sign({ exp: 9e9 }, SECRET)}`,
          'there is no Authorization header; a token in the query is not read',
          {},
        ],
        [
          'POST /auth/login text',
          'the body is text/plain: send JSON, with the header Content-Type: application/json',
          TEXT,
        ],
        ['POST /auth/login', 'the body is empty, or has no Content-Type: send JSON or a form'],
        [
          'POST /auth/login {"email": "ada@example.com"}',
          'JSON was sent as a form: send the header Content-Type: application/json',
          FORM,
        ],
        ['POST /auth/login {"username": "ada"}', 'the body has "username" instead of "email"'],
        ['POST /auth/login {"email": 1}', 'the body must have "email" and "password", both strings'],
        [
          'POST /auth/login {"email": "ada@example.com", "password": "x"}',
          'no user has this email and this password',
        ],
        ['GET /post', 'no "post" in the data: did you mean /posts?'],
        ['GET /zzz', 'no "zzz" in the data'],
        ['GET /', 'there is no route for GET here'],
        [
          'GET /600/users',
          '600 is a guard of json-server-auth: docs/json-server.md says what to write instead',
        ],
        ['GET /password=lovelace', 'no "password=***" in the data'],
        ['GET /posts/7', 'no record 7 in "posts"'],
        ['GET /posts?title=none&_one', 'no record in "posts" has all that the query asks for'],
        ['GET /posts?_one', '_one sends the first of 2'],
        ['DELETE /posts?id=1', 'the id belongs into the path: DELETE /posts/1'],
        ['PUT /posts {}', 'the id belongs into the path: PUT /posts/:id'],
        ['POST /posts/1 {}', 'POST /posts adds a record, PUT or PATCH /posts/1 changes one'],
        ['DELETE /profile', '"profile" is one object, for GET, POST, PUT and PATCH /profile alone'],
        ['GET /users/1/email', '/users/1/email is a single value: only lists and objects have paths'],
        ['GET /users/7/email', 'nothing in /users has the id 7'],
        ['GET /profile/nam', 'no "nam" in /profile'],
        ['GET /posts/1/comment', 'no "comment" in /posts/1: did you mean /posts/1/comments?'],
        ['GET /users/1/post', 'no "post" in /users/1'],
        ['GET /comments/1/post', 'no "post" in /comments/1: did you mean /comments/1?_expand=post?'],
        [
          'GET /posts/1/comments/7',
          'through a record there are only GET and POST /posts/1/comments, and GET of one of these: GET /comments/7',
        ],
        ['POST /login {}', 'the login is POST /auth/login, and with --login /login there is one here'],
        ['POST /register {}', 'there is no sign-up, and with --sign-up /register there is one here'],
        ['GET /auth/login', 'the route of the server itself is POST /auth/login'],
        ['GET /failing', 'fault rule 1'],
        ['POST /posts {"id": 1}', 'a record with this id already exists'],
        [
          'POST /users {"password": "x"}',
          'JSON was sent as a form: send the header Content-Type: application/json',
          { ...FORM, ...bearer({ exp: 9e9 }) },
        ],
        ['GET /posts?title[a]=b', 'a query parameter is neither a string nor a list'],
        [
          'GET /posts?title_like=\\b\\b\\b\\b\\b',
          'a regular expression in the query is too long, or has too many word boundaries',
        ],
        ['POST /__sandbox/reset {"lovelace": []}', 'the collections in the body cannot be used', LAB],
        ['PUT /__sandbox/faults [{"lovelace": 1}]', 'the rules in the body cannot be used', LAB],
      ],
      ([line, , headers = token]) => reasonOf(line, headers),
    ))

  test('a token whose user is not in the data', async () => {
    await askLogged('DELETE /users/1', token)
    expect(await reasonOf('GET /auth/me')).toBe('The user of this token is gone: log in again.')
  })
})

describe('a change of the own record', () => {
  useServer({ data: sampleData(), logins: [{ email: 'me@example.com', password: 'pm' }], me: 'PATCH /me' })

  test('by a login that is no record', async () => {
    const headers = authorized(await logIn(server.url, { email: 'me@example.com', password: 'pm' }))
    expect(await reasonOf('PATCH /me {}', headers)).toBe(
      'A login of --user has no record that could be changed: log in as a user of the data.',
    )
  })
})

describe('the login of an application', () => {
  const hashed = (password: string) => ({ password: hashSync(password, 4), active: true })
  const people = [
    { id: 2, username: 'mia', password: 'p', active: true, badge: 'A17' },
    { id: 3, username: 'twin', password: 'p', active: true },
    { id: 4, username: 'twin', password: 'p', active: true },
    { id: 5, username: 'locked', password: 'p' },
    { id: 6, username: 'none', active: true },
    ...['a', 'b', 'c', 'd'].map((password, index) => ({ ...hashed(password), id: 7 + index, name: 'Sam' })),
    { ...hashed('e'), id: 11, username: 'hashed' },
    { id: 12, username: 'costly', password: `$2b$16$${'x'.repeat(53)}`, active: true },
    { id: 13, username: 'argon', password: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', active: true },
    ...Array.from({ length: 101 }, (_item, index) => ({ id: 20 + index, name: 'Noah', password: 'p' })),
  ]
  const [ada] = [sampleData().users].flat()
  useServer({
    data: { users: [{ ...Object(ada), active: true }, ...people] },
    login: '/login',
    signUp: '/register',
    loginIf: { active: true },
  })

  test('the reason in the log of', () =>
    expectSaid<Row>(
      [
        ['POST /login {}', 'the body has no fields'],
        ['POST /login', 'the body is empty, or has no Content-Type: send JSON or a form'],
        [
          'POST /login {"username": "x", "password": "p"}',
          'no user is the one that the body names by "username"',
        ],
        [
          'POST /login {"badge": "A17", "password": "p"}',
          'no user is the one that the body names: "badge" names nobody, unless the key login-fields has it among its names',
        ],
        [
          'POST /login {"username": "mia", "password": "x"}',
          'the password is not that of the user whom the body names by "username"',
        ],
        [
          'POST /login {"username": "twin", "password": "x"}',
          'the password is that of none of the 2 users whom the body names by "username"',
        ],
        [
          'POST /login {"username": "twin", "password": "p"}',
          'the password is that of several users whom the body names by "username"',
        ],
        ['POST /login {"username": "mia", "password": ""}', 'the body has no password'],
        [
          'POST /login {"name": "Sam", "password": "d"}',
          'the password is that of none of the 4 users whom the body names by "name": only the first 3 hashes are compared',
        ],
        [
          'POST /login {"username": "hashed", "one": "a", "two": "b", "three": "c", "four": "e"}',
          'the password is not that of the user whom the body names by "username": only the first 3 hashes are compared',
        ],
        [
          `POST /login {"username": "hashed", "password": "${'e'.repeat(73)}"}`,
          'the password is not that of the user whom the body names by "username": a password over 72 bytes is not compared, because bcrypt leaves out its end',
        ],
        [
          'POST /login {"username": "costly", "password": "x"}',
          'the password is not that of the user whom the body names by "username": a hash is not compared that is none of bcrypt\'s with a cost up to 15',
        ],
        [
          'POST /login {"username": "argon", "password": "x"}',
          'the password is not that of the user whom the body names by "username": a hash is not compared that is none of bcrypt\'s with a cost up to 15',
        ],
        [
          'POST /login {"name": "Noah", "password": "x"}',
          'the password is that of none of the 100 users or more whom the body names by "name"',
        ],
        [
          `POST /login {${Array.from({ length: 20 }, (_item, index) => `"f${index}": "x", `).join('')}"username": "mia"}`,
          'no user is the one that the body names (only the first 20 texts of it are looked at)',
        ],
        [
          'POST /login {"username": "none", "password": "x"}',
          'the user whom the body names by "username" has no password: the key login-fields can name its field, and --any-password takes any',
        ],
        [
          'POST /login {"username": "locked", "password": "p"}',
          'the user may not log in: the key login-if says who may',
        ],
      ],
      ([line, , headers = {}]) => reasonOf(line, headers),
    ))

  test('the error in a response to', () =>
    expectSaid<Row>(
      [
        ['POST /login {}', 'No login was read: the body has no fields.'],
        ['POST /login {"username": "x", "password": "p"}', 'Wrong name or password.'],
        ['POST /login {"username": "mia", "password": "x"}', 'Wrong name or password.'],
        ['POST /login {"username": "locked", "password": "p"}', 'This account may not log in.'],
      ],
      ([line]) => errorOf(line),
    ))

  test('what is said of the fields of', () =>
    expectSaid<[line: string, sentences: string]>(
      [
        ['POST /register {}', 'email is required; password is required'],
        [
          `POST /register {"email": "n", "pwd": "$2b$04$${'x'.repeat(53)}"}`,
          'pwd must not be the hash of a password',
        ],
        ['POST /register {"userName": "mia", "password": "p"}', 'userName is taken already'],
      ],
      async ([line]) => {
        const { errors } = Object(json(await askLogged(line, {})))
        return Object.values(errors).flat().join('; ')
      },
    ))

  test('who signs up and may not log in is told so', async () => {
    const answer = json(await askLogged('POST /register {"email": "new@x.org", "password": "p"}', {}))
    expect(isRecord(answer) && answer.message).toBe(
      'Signed up. Somebody must let you in before you can log in.',
    )
  })
})

describe('before every step', () => {
  useServer({ routes: { '/v1:rest*': '/:rest' } })

  test('the error in a response to', () =>
    expectSaid<[asked: string, sentence: string, question: Question]>(
      [
        ['what is no HTTP', 'The request is not valid HTTP.', { path: 'users' }],
        [
          'a fragment',
          'The address of the request is not valid: it must be a path or begin with http://.',
          { path: '/users#1' },
        ],
        [
          'large headers',
          'The headers of the request are larger than 16 kB.',
          { path: '/', headers: { 'X-Long': 'x'.repeat(17_000) } },
        ],
        [
          'a path that takes a rule too long',
          'To compare this path with the rewrite rule "/v1:rest*" takes too long: send a shorter path, or write each parameter of the rule as a whole segment, such as /:name.',
          { path: `/v1${'x'.repeat(100)}//` },
        ],
      ],
      async ([, , asked]) => {
        const body = json(await ask(server.url, asked))
        return isRecord(body) ? body.error : body
      },
    ))
})

describe('of nested data', () => {
  class Hidden {
    id = 1
    toJSON() {
      return { id: this.id }
    }
  }
  useServer({
    data: { ...sampleData(), hidden: [new Hidden()], cars: [{ id: 1, seats: ['left'], owner: {} }] },
  })

  test('the error in a response', async () => {
    expect(await errorOf('POST /cars/1/seats {}')).toBe(
      'The elements of /cars/1/seats are no objects, so that none can be added: send the whole list in a PATCH of what it is in.',
    )
  })

  test('the reason in the log of', () =>
    expectSaid<Row>(
      [
        ['POST /cars/1/seats {}', 'the elements of /cars/1/seats are no objects'],
        ['GET /cars/1/seats/0', 'nothing in /cars/1/seats has the id 0'],
        [
          'POST /cars/1/seats/0 {}',
          'POST /cars/1/seats adds an element, PUT or PATCH /cars/1/seats/0 changes one',
        ],
        ['DELETE /cars/1/seats', '/cars/1/seats is a list, for GET and POST'],
        ['DELETE /cars/1/owner', '/cars/1/owner is one object, for GET, POST, PUT and PATCH'],
        ['GET /cars/1/owner?_embed=posts', '_embed and _expand act at the top of the data alone'],
        ['GET /hidden/1/secret', '/hidden/1 makes its own JSON, so nothing in it has a path'],
      ],
      ([line]) => reasonOf(line),
    ))
})

describe('of nested data beside middlewares', () => {
  useServer({ middlewares: [(_request, _response, next) => next()] })
  test('the reason in the log', async () => {
    expect(await reasonOf('GET /posts/1/author')).toBe(
      'beside middlewares, nested data has paths with --nested (nested: true) alone: let them look at these paths first',
    )
  })
})

describe('of ids that are texts', () => {
  useServer({
    data: { users: [ADA], tags: [{ id: 'a1b2' }], kinds: [{ id: 'b' }, { id: 1 }], notes: [{ id: 1 }] },
  })
  test('the reason in the log of', () =>
    expectSaid<[string, string | undefined]>(
      [
        ['POST /notes {}', 'it has no body, or one without fields'],
        ['POST /notes {"a": 1}', undefined],
        ['POST /tags {"id": "c"}', undefined],
        ['POST /tags {"a": 1}', 'the new id is letters, because tags has an id that is a text'],
        ['POST /tags {"a": 2}', undefined],
        ['POST /kinds {"a": 1}', 'the new id is letters, because kinds has an id that is a text'],
      ],
      ([line]) => reasonOf(line),
    ))
})

describe('without sandboxes', () => {
  useServer()
  test('the reason in the log', async () => {
    expect(await reasonOf('GET /posts', { ...token, 'X-Sandbox': 'lab' })).toBe(
      'without --sandboxes, X-Sandbox names no sandbox: all requests share the data',
    )
  })
})

describe('read-only', () => {
  useServer({ readOnly: true })
  test('a change', async () => {
    expect(await errorOf('POST /posts {}')).toBe('This server is read-only: POST is not allowed.')
  })
})

describe('open to all', () => {
  useServer({ allow: 'all', data: CARS })
  const PAGE = { Origin: 'https://evil.example' }
  const LINK = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }

  test('the error in a response to', () =>
    expectSaid<Row>(
      [
        [
          'a page of another site',
          'With --allow all, only pages from localhost may use the server: serve the page from http://localhost, for instance with --static and its folder, and do not open it as a file, or start with --allow-host evil.example (allowedHosts in createApp).',
          PAGE,
        ],
        [
          'a link on one',
          'With --allow all, only pages from localhost may use the server: serve the page from http://localhost, for instance with --static and its folder, and do not open it as a file, or start with --allow-host and its name (allowedHosts in createApp). If you have followed a link, type its address instead.',
          LINK,
        ],
        [
          'a name that is not localhost',
          'With --allow all, the server responds only at localhost, *.localhost, 127.0.0.1 and [::1]: use one of these, or start with --allow-host evil.example (allowedHosts in createApp).',
          { Host: 'evil.example' },
        ],
      ],
      ([, , headers]) => errorOf('GET /posts', headers),
    ))

  test('the reason in the log of', () =>
    expectSaid<Row>(
      [
        ['a page of another site', 'the page is not from localhost', PAGE],
        [
          'a page that is opened as a file',
          'the page seems to be opened as a file: serve its folder with --static',
          { Origin: 'null' },
        ],
        ['a name that is not localhost', 'the Host is not localhost', { Host: 'evil.example' }],
      ],
      ([, , headers]) => reasonOf('GET /posts', headers),
    ))

  test('what json-server has done with', () =>
    expectSaid<Row>(
      [
        ['/garages?T=a', 'json-server ignored "T": no record has it'],
        ['/garages?titel=a', 'json-server ignored "titel": no record has it, did you mean title?'],
        [
          '/cars?_expand=garage&garage.title=North',
          'json-server ignored "garage.title": filters see records before relations are added',
        ],
        ['/garages?_per_page=5', 'json-server ignored "_per_page": its own way is _limit'],
        [
          '/garages?_where={}',
          'json-server ignored "_where": its own way is a parameter for each field, such as field_gte',
        ],
        ['/garages?views:gt=9', 'json-server ignored "views:gt": its own way is views_gt'],
        ['/cars?sold_is=no', 'json-server ignored "sold_is": _is takes null or set'],
        ['/cars?sold_has=1', 'json-server ignored "sold_has": no record has a list in "sold"'],
        ['/garages?id_in=1,2', 'json-server ignored "id_in": its own way is id=1&id=2'],
        ['/garages?_sort=date', 'json-server ignored _sort=date: no record has it'],
        ['/garages?_sort=-views', 'json-server sorts downwards by _sort=views&_order=desc'],
        ['/garages?_sort=id&_order=down', '_order takes asc or desc, and is asc otherwise'],
        ['/garages?_order=desc', '_order acts only with _sort'],
        ['/garages?_limit=-1', '_limit takes a whole number from 0'],
        ['/garages?_page=0', '_page takes a whole number from 1'],
        ['/garages?_page=1&_page=2', '_page may be given once, and json-server took the first'],
        ['/garages?_page=1&_start=1', 'json-server ignored _start beside _page'],
        ['/garages?_start=1', '_start acts only with _end or _limit'],
        ['/garages?title=a,b', 'a value is compared as a whole: title=a&title=b finds one or the other'],
        ['/cars?sold=null', 'no value is equal to null: sold_is=null finds records without one'],
        [
          '/cars?seats=1',
          '"seats" is a list, which is compared as its text, such as 1,3: seats_has=1 finds an element',
        ],
        ['/cars?parts=1', '"parts" is a list of objects: parts.id=1 looks at a field of these'],
        [
          '/garages?titel_like=a',
          'titel_like finds nothing, because no record has "titel", did you mean title?',
        ],
        ['/cars?_embed=garage', 'there is no collection "garage" for _embed, did you mean _expand=garage?'],
        ['/cars?_embed=nope', 'there is no collection "nope" for _embed'],
        [
          '/cars?_embed=garages',
          '_embed=garages follows "carId", which no record in "garages" has, did you mean _expand=garage?',
        ],
        [
          '/cars?_embed=garages,tags',
          '_embed takes one name, and may be given several times: _embed=garages&_embed=tags',
        ],
        ['/cars?_embed=cars.seats', '_embed goes one level deep, and cars.seats is more'],
        [
          '/cars?_expand=garages',
          '_expand=garages follows "garagesId", which no record in "cars" has, did you mean _expand=garage?',
        ],
        [
          '/cars?_expand=tag',
          '_expand=tag follows "tagId", which no record in "cars" has, did you mean _expand=tags?',
        ],
        ['/cars?_expand=item', '_expand=item looks for a collection "items", which is not there'],
        ['/cars?_expand=post', '_expand=post follows "postId", which no record in "cars" has'],
      ],
      ([path]) => reasonOf(`GET ${path}`),
    ))
})

describe('where somebody asks for a stream', () => {
  useServer({
    middlewares: [
      (request, response, next) => {
        const { app, query } = request
        if (query.end !== undefined) response.end = response.end.bind(response)
        if (query.write !== undefined) Reflect.get(app, 'db').write = () => undefined
        next()
      },
    ],
  })

  test('the reason in the log for JSON', () =>
    expectSaid<Row>(
      [
        ['/posts?end=1', 'no stream, because a middleware, or the query, changes how the response is made'],
        [
          '/posts?callback=f',
          'no stream, because a middleware, or the query, changes how the response is made',
        ],
        ['/posts?write=1', 'no stream, because a middleware saves changes in its own way'],
      ],
      ([path]) => reasonOf(`GET ${path}`, { ...token, Accept: 'text/event-stream' }),
    ))
})

test('createApp refuses', () =>
  expectSaid<[title: string, sentence: string, options: object]>(
    [
      [
        'a word',
        'allow: \'GET /posts\' must be an array of a method and a path, for instance "POST /users" or "GET /posts/:id": no other pattern than :id at the end; or all, by itself: --allow all, or "allow": "all".',
        { allow: 'GET /posts' },
      ],
      ['no middleware', 'A middleware must be a function, not undefined.', { middlewares: [undefined] }],
      [
        'a sign-up by GET',
        '--sign-up: a GET of /register has no body to sign up with: leave out the method, which is POST then.',
        { signUp: 'GET /register' },
      ],
      [
        'a path that the server has',
        'GET /docs cannot be --me, because the server itself responds there: give it another path, or leave out what does, which is --docs, --openid, or the public list: --no-public.',
        { me: '/docs', docs: true },
      ],
      ['an unknown option', 'There is no option "alow": did you mean "allow"?', { alow: 'all' }],
      ['another kind', "delay: 'x' must be a number of milliseconds, from 0 to 999999999.", { delay: 'x' }],
      [
        'an address with a port',
        'allowedHosts: \'a:80\' must be a host without a port, such as "10.0.2.2", ".test" for all names that end so, an origin such as "chrome-extension://abc", or a scheme such as "myapp://"; or all.',
        { allowedHosts: ['a:80'] },
      ],
      [
        'an issuer that is no address',
        'issuer: "mock" must be an address without a query, such as http://mock:33000.',
        { openid: true, issuer: 'mock' },
      ],
    ],
    ([, , options]) => refusal(() => makeApp(Object.assign({ data: {} }, options))),
  ))

describe('with --openid', () => {
  useServer({ openid: true })
  const AUTH = 'GET /protocol/openid-connect/auth'

  test('a page says to a person, of', () =>
    expectSaid<[asked: string, sentence: string]>(
      [
        [AUTH, 'The address must have the parameter client_id once.'],
        [
          `${AUTH}?client_id=a&redirect_uri=/`,
          'redirect_uri must be an absolute address without a user and a password.',
        ],
        [
          `${AUTH}?client_id=a&redirect_uri=http://evil.example/`,
          'redirect_uri must be an address at localhost: for another host, start with --allow-host and its name, or the scheme of an application, such as myapp:// (allowedHosts in createApp).',
        ],
      ],
      async ([line]) => {
        const { text } = await ask(server.url, question(line))
        return /<p>(.*)<\/p>/.exec(text)?.[1] ?? text
      },
    ))

  test('the token endpoint says of', () =>
    expectSaid<[asked: string, sentence: string]>(
      [
        [
          'grant_type=implicit',
          'grant_type must be one of authorization_code, refresh_token, password, client_credentials, in a form.',
        ],
        ['grant_type=password', 'Wrong name or password.'],
        [
          'grant_type=client_credentials',
          'client_id and client_secret must be the name and the password of a --user.',
        ],
        ['grant_type=authorization_code&code=x', 'There is no such code.'],
        [
          'grant_type=refresh_token&refresh_token=x',
          'this server did not make the token: its own have the algorithm HS256, or ES256 with --openid, and an expiry.',
        ],
      ],
      async ([form]) => {
        const { text } = await ask(server.url, question(`POST /protocol/openid-connect/token ${form}`))
        return JSON.parse(text).error_description
      },
    ))
})

describe('where there is no more room for sandboxes', () => {
  useServer({ sandboxes: true })
  const limits = { ...SANDBOX_LIMITS }
  afterAll(() => Object.assign(SANDBOX_LIMITS, limits))

  test('the error in a response to', () =>
    expectSaid<[asked: string, sentence: string]>(
      [
        [
          'GET /blogs',
          'There are already 1 sandboxes that were changed, or named with a token: forget one with DELETE /__sandbox, or send a token, for which the one that was unused longest makes room.',
        ],
      ],
      async ([line]) => {
        Object.assign(SANDBOX_LIMITS, { count: 1 })
        await askLogged('DELETE /__sandbox/sessions', { ...token, 'X-Sandbox': 'one' })
        const { text } = await askLogged(line, { 'X-Sandbox': 'two' })
        return JSON.parse(text).error
      },
    ))
})

describe('openSandbox refuses', () => {
  useServer({
    sandboxes: true,
    allow: ['POST /other/__sandbox/login'],
    middlewares: [
      (request, response, next) => (request.path.startsWith('/other') ? response.json('hello') : next()),
    ],
  })

  test('what it cannot open', () =>
    expectSaid<[title: string, sentence: string, options: object]>(
      [
        [
          'a wrong password',
          'The mock at URL refused POST /__sandbox/login: nobody has the email ada@example.com with this password.',
          { user: { ...ADA, password: 'wrong' } },
        ],
        [
          'a user as of an own login',
          'The mock at URL refused POST /__sandbox/login: nobody has the username ada with this password, and without --login a user has an "email" and a "password", both texts.',
          { user: { username: 'ada', password: ADA.password } },
        ],
        [
          'no user',
          'The mock at URL refused POST /__sandbox/reset: it needs a valid token: give a user; after a restart of the mock, open the sandbox again.',
          { user: undefined },
        ],
        [
          'another URL',
          'The mock at URL/api refused POST /__sandbox/login: it has no sandboxes, or is at another URL: is --sandboxes on?',
          { url: '/api' },
        ],
        [
          'a server that is not there',
          'The mock at http://127.0.0.1:1 cannot be reached (Error: bad port): is it running?',
          { url: ':1' },
        ],
        ['another server', 'What is at URL/other gives no token: is it another server?', { url: '/other' }],
      ],
      async ([, , options]) => {
        const { url = '', ...rest }: { url?: string } = options
        const given = {
          name: 'lab',
          user: ADA,
          ...rest,
          url: url === ':1' ? 'http://127.0.0.1:1' : server.url + url,
        }
        return (await refusal(() => openSandbox(given))).replace(server.url, 'URL')
      },
    ))

  test('what lists nothing', () =>
    expectSaid<[name: 'faults', sentence: string]>(
      [['faults', 'What is at URL/other gives no list for GET /__sandbox/faults: is it another server?']],
      async ([name]) => {
        const [, word] = (token.Authorization ?? '').split(' ')
        const sandbox = await openSandbox({ url: `${server.url}/other`, name: 'lab', token: word })
        return (await refusal(() => sandbox[name]())).replace(server.url, 'URL')
      },
    ))
})

describe('the command line', () => {
  beforeAll(async () => {
    process.chdir(
      await newFolder({
        'a.js': '',
        'rules.json': '{}',
        'guards.json': '{"items": 660}',
        'cut.json': '{"a": 1',
        'array.json': '[]',
        'number.json': '{"posts": 5}',
        'number.js': 'module.exports = 5',
        'db.txt': '{}',
        'folder.json/file': '',
      }),
    )
  })
  afterAll(removeFolders)

  function read(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const warned: string[] = []
    const settings = readCommandLine(args, env, (sentence) => warned.push(sentence))
    return { settings, warned }
  }

  /** The words of a line; one with a space stands in quotation marks. */
  function words(line: string): string[] {
    return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word = '']) => quoted ?? word)
  }

  test('is refused', () =>
    expectSaid<[args: string, sentence: string, env?: NodeJS.ProcessEnv]>(
      [
        ['--port http', '--port: "http" must be an integer from 0 to 65535, for instance 3000.'],
        ['--delay long', '--delay: "long" must be a number of milliseconds, for instance 500.'],
        ['--config missing.json', '--config: "missing.json" must be a file that exists.'],
        ['--snapshots missing', '--snapshots: "missing" must be a folder that exists.'],
        ['--allow all --allow all', '--allow all must stand alone.'],
        ['--user hidden', '--user must be a name, a colon and a password, for instance me:secret.'],
        ['--user me:x you:y', 'Each login needs a --user of its own, in front of it.'],
        ['--user', 'Not enough arguments following: user. See --help.'],
        [
          '--login in',
          '--login: "in" must be a path that begins with a slash and has no pattern, for instance "/api/session", or a method and such a path, for instance "DELETE /api/session".',
        ],
        [
          '--expires-in soon',
          '--expires-in: "soon" must be a number and a unit (s, m, h or d), for instance 15m.',
        ],
        ['--read-only=maybe', '--read-only: "maybe" must be true or false.'],
        ['', 'JWT_SECRET is empty: give it a value, or unset it for a random secret.', { JWT_SECRET: '' }],
        ['', 'PORT: "http" must be an integer from 0 to 65535, for instance 3000.', { PORT: 'http' }],
      ],
      ([args, , env]) => refusal(() => read(words(args), env)),
    ))

  test('is ignored in part', () =>
    expectSaid<[args: string, sentence: string]>(
      [
        ['--prot 3000', '--prot is ignored: did you mean --port?'],
        ['--some-thing', '--some-thing is ignored: there is no such flag, see --help.'],
        ['--no-auth', '--no-auth is ignored: did you mean --allow all?'],
        ['--cors', '--cors is ignored: it is on by default, and --no-cors turns it off.'],
        ['a.json b.json', 'b.json is ignored: the data file is a.json.'],
        ['--docs=1', '--docs: "1" must be true or false.'],
        ['--static a --static b', 'Only the last --static counts: b.'],
        [
          '--port',
          '--port is ignored: it has no value, which must be an integer from 0 to 65535, for instance 3000.',
        ],
        ['--routes', '--routes has no value, which stands for none: not even routes.json is used.'],
        ['--secret x', '--secret is ignored: set the variable JWT_SECRET.'],
        ['--auth', '--auth is ignored: did you mean --user name:password?'],
        ['--file x', '--file is ignored: name the data file without a flag.'],
        ['--root x', '--root is ignored: did you mean --static?'],
        ['--reload', '--reload is ignored: every file that changes is loaded again anyway.'],
        ['--reset', '--reset is ignored: did you mean --in-memory? Then a restart begins with the file.'],
        ['--/api/* x', '"/api/*" is ignored: rules belong into routes.json, or into the key "routes".'],
        ['--a~b x', '"a~b" is ignored: there is no such key, see --help.'],
      ],
      ([args]) => read(words(args)).warned.join('\n'),
    ))

  test('warns', () =>
    expectSaid<[args: string, sentence: string, data: Data, env?: NodeJS.ProcessEnv]>(
      [
        [
          '',
          'Nobody can log in: db.json has no "users" with an "email" and a plain "password", both texts. Start with --user me:secret, or with --login /auth/login, which takes usernames, numbers and hashes.',
          { users: [{ id: 1, username: 'ada' }] },
        ],
        [
          '--user me:x',
          'db.json has no collection, so there is nothing to read or change: write one, such as {"posts": []}.',
          {},
        ],
        [
          '-m a.js --allow "GET /posts"',
          'With --allow or --sign-up, middlewares see requests without a token: there, req.auth is undefined.',
          sampleData(),
        ],
        [
          '--user me:x',
          Array.from(
            { length: 5 },
            (_, index) => `No address leads to "${index}\ud800": give it another name.`,
          )
            .concat('There are 2 more: mend these first.')
            .join('\n'),
          Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}\ud800`, []])),
        ],
        [
          '',
          'JWT_SECRET is shorter than 32 bytes and can be guessed: give it a longer one.',
          sampleData(),
          { JWT_SECRET: 'short' },
        ],
        [
          '--static missing',
          'There is no folder missing, so no files are served: check --static.',
          sampleData(),
        ],
        [
          '--public news',
          'db.json has no collection "news" that could be public: check --public.',
          sampleData(),
        ],
        [
          '--public users',
          'Anybody can read the passwords in "users": check --public and --allow. A middleware that leaves them out is not enough, because they can be guessed by filters such as password_like.',
          sampleData(),
        ],
        [
          '--allow "GET /blogs"',
          '--allow "GET /blogs" changes nothing, because the server itself responds there: add --no-public for json-server\'s own list.',
          sampleData(),
        ],
        [
          '--login /posts',
          'POST /posts goes to --login, and no longer to "posts": name another path, unless you mean this.',
          sampleData(),
        ],
        [
          '--login /login --sign-up /register',
          'db.json has no list "users", where --login and --sign-up look for people: it needs "users": [].',
          { posts: [] },
        ],
        [
          '--login /login',
          'db.json has no list "users", where --login and --sign-up look for people: put "login-users": "people" into json-server.json.',
          { people: [{ id: 1, email: 'a', password: 'b' }] },
        ],
        [
          '',
          'Nobody can log in: db.json has no "users" with an "email" and a plain "password", both texts. Start with --user me:secret, or with --login /auth/login, and "login-users": "people" in json-server.json.',
          { people: [{ id: 1, email: 'a', password: 'b' }] },
        ],
        [
          '--login /login',
          'Nobody in "users" has a name to log in with, such as an "email", a "username" or a "name": name the field that is one by the key login-fields, such as {"names": ["badge"]}.',
          { users: [{ id: 1, badge: 'A17', password: 'p' }] },
        ],
        [
          '--read-only --sign-up /register',
          '--sign-up changes nothing with --read-only: nobody can sign up.',
          sampleData(),
        ],
        [
          '--allow all --host 0.0.0.0',
          'With --allow all, everybody who reaches this server, and every web page that they open, can read and change all of the data: check --host and --allow-host.',
          sampleData(),
        ],
        [
          '--openid --allow-host all',
          'With --openid and --allow-host all, every web page can have a code sent to itself, and log in as whoever has logged in with that browser: name hosts in place of all.',
          sampleData(),
        ],
        ['--issuer http://mock:33000', '--issuer changes nothing without --openid.', sampleData()],
        ['--user me:x', 'No address leads to "..": give it another name.', { '..': [] }],
        [
          '--user me:x',
          'Several records of "posts" have the id 1: only the first of them can be read, changed or deleted by it.',
          { posts: [{ id: 1 }, { id: 1 }] },
        ],
        [
          '--user me:x',
          '"profiles" has records without id (1 of 2), to which no address leads: give each one, or name their own by --id.',
          { profiles: [{ name: 'x' }, { id: 1 }] },
        ],
        [
          '--user me:x',
          '"posts" has the id 9007199254740992, to which no address leads, because numbers over 9007199254740991 are not exact: write it as a text, in quotes.',
          { posts: [{ id: 2 ** 53 }] },
        ],
        [
          '--user me:x --allow "GET /taks"',
          '--allow "GET /taks" opens nothing, because the data has no "taks": did you mean /tasks?',
          { tasks: [] },
        ],
        [
          '--user me:x --allow "GET /nothing"',
          '--allow "GET /nothing" opens nothing, because the data has no "nothing": check its name.',
          { tasks: [] },
        ],
        [
          '--user me:x',
          '"posts" has records without id (1 of 1), to which no address leads: give each one, or name their own by --id.',
          { posts: [{ _id: 'a1' }] },
        ],
      ],
      ([args, , data, env]) => {
        const { settings } = read(words(args), env)
        return warnings(startedFor(settings, data)).join('\n')
      },
    ))

  test('warns of keys', () =>
    expectSaid<[keys: object, sentence: string]>(
      [
        [
          { loginResponse: { nick: '$user.emial' } },
          'The key login-response names $user.emial, which no record in "users" has: did you mean email?',
        ],
        [
          { tokenClaims: { key: '$user.password' } },
          'The key token-claims names $user.password, which no response holds, as a password.',
        ],
        [
          { loginFields: { names: ['email', 'badge'] } },
          'The key login-fields names "badge", which no record in "users" has: check its name.',
        ],
      ],
      ([keys]) =>
        warnings(startedFor({ ...read(['--login', '/login']).settings, ...keys }, sampleData())).join('\n'),
    ))

  test('warns of a file in the place of a route', async () => {
    const folder = await newFolder({ 'me/index.html': '' })
    const { settings } = read(['--static', folder, '--me', '/me'])
    expect(warnings(startedFor(settings, sampleData()))).toEqual([
      `GET /me gives a file in ${folder}, and no longer who has logged in: move the file, or name another path by --me.`,
    ])
  })

  test('warns of rules', () =>
    expectSaid<[rule: string, sentence: string, args?: string]>(
      [
        [
          '/auth/login',
          'The rule "/auth/login" leads no POST away, because the server itself responds there: --login /auth/login gives it another response, and --allow "POST /auth/login" is for a middleware of yours.',
        ],
        ['/me', 'The rule "/me" leads no GET away, because the server itself responds there.', '--me /me'],
      ],
      ([rule, , args = '']) =>
        warnings(
          startedFor(read(words(args)).settings, sampleData(), { rules: { [rule]: '/users/1' } }),
        ).join('\n'),
    ))

  test('warns of schemas', () =>
    expectSaid<[schema: object, sentence: string]>(
      [
        [
          { unique: ['emial'] },
          '"unique" in the schema of "users" names "emial", which neither a record nor the schema has: did you mean "email"?',
        ],
        [
          { unique: ['zzz'] },
          '"unique" in the schema of "users" names "zzz", which neither a record nor the schema has: check its name.',
        ],
      ],
      ([users]) =>
        warnings({ ...startedFor(read([]).settings, sampleData()), schemas: { users } }).join('\n'),
    ))

  function startOf(args: string): string {
    const { settings } = read(words(args))
    const data = sampleData()
    const style = (_format: string, word: string) => word
    return startText(startedFor(settings, data), { port: 33000, style })
  }

  test('a start prints', () => {
    // What one pastes into a shell has tests of its own.
    const printed = startOf('')
      .replace(version, 'VERSION')
      .replace(/ {4}\$?TOKEN ?=(.|\n)*?\n\n/, '    COMMANDS\n\n')
    expect(printed).toBe(`
  json-server-bearer VERSION serves db.json at http://localhost:33000

  Log in as ada@example.com, with the password in place of PASSWORD, and list:
    COMMANDS

  With a token: /blogs/, /users, /posts, /comments, /tags, /profile
  Without:      GET /blogs, GET /blogs/1, POST /auth/login
  Changes are saved to db.json; GET /blogs shows them with --live or a restart.
  s and Enter saves a snapshot, Ctrl+C stops. --help shows all flags.
`)
  })

  test('a start with flags prints, too', () =>
    expectSaid<[args: string, line: string]>(
      [
        ['--live', 'Changes are saved to db.json.'],
        ['--in-memory', 'Changes stay in memory, not in db.json; GET /blogs shows them with --live.'],
        ['--docs', 'See it in a browser: http://localhost:33000/docs/data#email=ada%40example.com'],
        ['--openid', 'The issuer for OpenID Connect: http://localhost:33000'],
        ['--openid --issuer http://mock:33000', 'The issuer for OpenID Connect: http://mock:33000'],
        ['--allow all', 'Everything is open: /blogs, /users, /posts, /comments, /tags, /profile'],
        ['--private posts', 'Private, to its owner and --user: posts'],
        ['--owned posts', 'Changed by its owner and --user: posts'],
      ],
      ([args, line]) =>
        startOf(args)
          .split('\n')
          .map((text) => text.trim())
          .find((text) => text === line) ?? startOf(args),
    ))

  const open = (source: string) => openSource({ source, inMemory: false, warn: () => {} })

  test('a file that cannot be used', () =>
    expectSaid<[files: string, sentence: string, use: () => unknown]>(
      [
        [
          'no data file',
          'none.json does not exist: create it, or name another data file.',
          () => open('none.json'),
        ],
        [
          'a cut data file',
          'cut.json is not valid JSON at line 1, column 9: Unexpected end of input.',
          () => open('cut.json'),
        ],
        [
          'an array',
          'array.json must be an object of collections, for instance {"data": [...]}, but it is an array.',
          () => open('array.json'),
        ],
        [
          'a number as a collection',
          'number.json has "posts", which is a number: it must be an array or an object.',
          () => open('number.json'),
        ],
        [
          'another file',
          'db.txt is not a source of data: give a .json, .js, .cjs, .mjs or .ts file, a folder of .json files, or a URL.',
          () => open('db.txt'),
        ],
        [
          'a module without data',
          'number.js must export a function that returns the data.',
          () => open('number.js'),
        ],
        ['no module', 'none.js does not exist: create it, or name another data file.', () => open('none.js')],
        [
          'a middleware that is none',
          'number.js cannot be used: it must export a function, or an array of functions: (req, res, next) => { ... }.',
          () => loadMiddlewares(['number.js']),
        ],
        [
          'a configuration that is cut',
          'cut.json cannot be used: it is not valid JSON at line 1, column 9: Unexpected end of input.',
          () => read(['--config', 'cut.json']),
        ],
        [
          'rules that are no object',
          'array.json cannot be used: it must hold an object: {"/api/*": "/$1"}.',
          () => readRules('array.json', () => {}, false),
        ],
        [
          'a guard where no request needs a token',
          'guards.json has "items": 660, a guard of json-server-auth, which guards nothing with --allow all: docs/json-server.md says what to write instead.',
          () => readRules('guards.json', () => {}, true),
        ],
        [
          'a certificate without a key',
          'HTTPS needs both --cert and --key.',
          () => tlsFiles({ cert: 'a.js' }),
        ],
      ],
      ([, , use]) => refusal(use),
    ))

  const failed = (code: string) => Object.assign(new Error('It failed.'), { code })

  test('a file that cannot be read or written, by the code of the error', () =>
    expectSaid<[code: string, sentence: string, say: (error: Error, name: string) => Error]>(
      [
        ['ELOOP', 'db.json is a symbolic link that leads to itself.', notReadable],
        ['EIO', 'db.json cannot be read (EIO).', notReadable],
        ['EIO', 'The change was not made, because db.json could not be written (EIO).', notSaved],
        [
          'EROFS',
          'The change was not made, because db.json is on a read-only disk (start with --in-memory to make changes that are not saved).',
          notSaved,
        ],
        [
          'CHANGED',
          'The change was not made, because somebody else has changed db.json at the same moment. Send the request again.',
          notSaved,
        ],
        [
          'EXDEV',
          'The change was not made, because db.json is mounted by itself and cannot be replaced (mount its folder instead).',
          notSaved,
        ],
        [
          'NOT_OURS',
          "The change was not made, because db.json is another user's, in a folder with the sticky bit (put it into a folder of yours, or start with --in-memory).",
          notSaved,
        ],
        [
          'EIO',
          'The change was made, but a power failure may undo it, because the folder of db.json could not be synced (EIO).',
          (_error, name) => new NotDurableError(name, 'EIO'),
        ],
        [
          'ENOENT',
          'Nothing can be saved at the moment: db.json does not exist: create it, or name another data file.',
          (error, name) => notUsable(notReadable(error, name)),
        ],
      ],
      ([code, , say]) => say(failed(code), 'db.json').message,
    ))

  testOfUnix('a data file that cannot be replaced, or only so, is warned of', () =>
    expectSaid<[code: string, sentence: string]>(
      [
        [
          'EXDEV',
          'No change can be saved, because db.json is mounted by itself and cannot be replaced (mount its folder instead).',
        ],
        [
          'EPERM',
          'No hard link to db.json can be made: an editor that saves it in the same instant as the server may lose its text.',
        ],
      ],
      async ([code]) => {
        const failing = () => {
          throw failed(code)
        }
        const replaced = ['linkSync', ...(code === 'EXDEV' ? (['renameSync'] as const) : [])] as const
        const mocks = replaced.map((name) => jest.spyOn(fs, name).mockImplementation(failing))
        const warn = jest.fn()
        const folder = await newFolder({ 'db.json': '{}' })
        await DataFile.open(path.join(folder, 'db.json'), { warn }).close()
        for (const mock of mocks) mock.mockRestore()
        return warn.mock.calls.flat().join()
      },
    ),
  )

  test('a rewrite rule is ignored', () =>
    expectSaid<[rule: string, sentence: string]>(
      [
        [
          '{"/a/:id": "/posts/:other"}',
          'A rule in rules.json is ignored: the rule "/a/:id" has no parameter ":other".',
        ],
        [
          '{"/b": 1}',
          'A rule in rules.json is ignored: the rule "/b" must lead to a path, in quotes and with a slash at its beginning.',
        ],
        ['{"d": "/posts"}', 'A rule in rules.json is ignored: the rule "d" must begin with a slash.'],
        [
          '{"HEAD /e": "/posts"}',
          'A rule in rules.json is ignored: the rule "HEAD /e" must name no method, or one of GET, POST, PUT, PATCH, DELETE in capitals, and not "HEAD".',
        ],
        [
          '{"/f": "DELETE /posts/1"}',
          'A rule in rules.json is ignored: the rule "/f" would make a DELETE of a GET, and whoever follows a link must change nothing: write "POST /f".',
        ],
        [
          '{"posts": 664}',
          'A rule in rules.json is ignored: "posts": 664 is a guard of json-server-auth: docs/json-server.md says what to write instead.',
        ],
      ],
      async ([rule]) => {
        const [file] = await Promise.all([newFolder({ 'rules.json': rule })])
        const warned: string[] = []
        readRules(
          path.relative('', path.join(file, 'rules.json')),
          (sentence) => warned.push(sentence),
          false,
        )
        return warned.join('\n').replace(/in \S+rules\.json/, 'in rules.json')
      },
    ))

  test('an error of the system is explained', () =>
    expectSaid<[fields: object, sentence: string]>(
      [
        [
          { code: 'EADDRINUSE', port: 3000 },
          'Port 3000 is taken by another program, or was a moment ago: stop that one, wait a minute, or choose another port, for instance --port 33001 (with npm run: -- --port 33001).',
        ],
        [
          { code: 'EACCES', syscall: 'listen', port: 80 },
          'Port 80 needs rights that you do not have, or is reserved by the system: choose another one, for instance --port 33001 (with npm run: -- --port 33001).',
        ],
        [
          { code: 'ENOTFOUND' },
          'The host is not an address of this machine: use --host localhost or --host 0.0.0.0.',
        ],
        [
          { stack: 'the stack' },
          'Something unexpected went wrong. Please report it with these lines: the stack',
        ],
      ],
      ([fields]) => explainError(Object.assign(new Error('It failed.'), fields)),
    ))
})

describe('what does not fit a schema', () => {
  const properties = {
    text: { type: 'string', minLength: 3, maxLength: 5 },
    name: { type: 'string', minLength: 1, title: 'Your name' },
    count: { type: 'integer', minimum: 2, maximum: 9 },
    price: { type: ['number', 'null'], exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
    list: { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'boolean' } },
    state: { enum: ['draft', 'published'] },
    kind: { const: 'post' },
    form: { type: 'string', pattern: '^[a-z]$' },
    slow: { type: 'string', pattern: '^(a+)+$' },
    email: { type: 'string', format: 'email' },
    date: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    time: { type: 'string', format: 'time' },
    uri: { type: 'string', format: 'uri' },
    url: { type: 'string', format: 'url' },
    uuid: { type: 'string', format: 'uuid' },
    ipv4: { type: 'string', format: 'ipv4' },
    host: { type: 'string', format: 'hostname' },
    any: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    oneOf: { type: 'number' },
    address: { type: 'object', required: ['city'], additionalProperties: false, properties: { city: {} } },
    taken: { unique: true },
    other: {},
  }
  const schemas = {
    posts: { unique: [['taken', 'other']], dependentRequired: { kind: ['state'] }, properties },
  }
  const posts = [{ id: 1, taken: 'x', other: 1 }]

  let server: TestServer
  beforeAll(async () => {
    server = await serve(makeApp({ data: { posts }, schemas, allow: 'all', log: false }).app)
  })
  afterAll(() => server.close())

  test.each([
    [{ text: 'a' }, 'text must have at least 3 characters'],
    [{ text: 'abcdef' }, 'text must have at most 5 characters'],
    [{ text: 1 }, 'text must be a text'],
    [{ name: '' }, 'Your name must not be empty'],
    [{ count: 1.5 }, 'count must be a whole number; count must be 2 or more'],
    [{ count: 10 }, 'count must be 9 or less'],
    [{ price: 'a' }, 'price must be a number or null'],
    [{ price: 0 }, 'price must be more than 0'],
    [{ price: 9 }, 'price must be less than 9'],
    [{ price: 0.7 }, 'price must be a multiple of 0.5'],
    [{ oneOf: true }, 'oneOf must be a number'],
    [{ list: {} }, 'list must be a list'],
    [{ list: [] }, 'list must have at least 1 entry'],
    [{ list: [true, true] }, 'list must not have an entry twice'],
    [{ list: [true, false, 1] }, 'list must have at most 2 entries; list.2 must be true or false'],
    [{ state: 'gone' }, 'state must be one of: draft, published'],
    [{ kind: 'page', state: 'draft' }, 'kind must be "post"'],
    [{ kind: 'post' }, 'state is required'],
    [{ form: 'A' }, 'form is not of the right form'],
    [{ slow: `${'a'.repeat(50)}b` }, 'slow takes too long to be compared with its pattern'],
    [{ email: 'a' }, 'email must be an email address'],
    [{ date: '2026-02-30' }, 'date must be a date, such as 2026-01-31'],
    [{ moment: 'a' }, 'moment must be a date and a time, such as 2026-01-31T12:00:00Z'],
    [{ time: 'a' }, 'time must be a time, such as 12:00:00Z'],
    [{ uri: 'a' }, 'uri must be a web address, such as https://example.com'],
    [{ url: 'a' }, 'url must be a web address, such as https://example.com'],
    [{ uuid: 'a' }, 'uuid must be a UUID'],
    [{ ipv4: 'a' }, 'ipv4 must be an IPv4 address'],
    [{ host: '-' }, 'host must be of the form hostname'],
    [{ any: 1 }, 'any does not fit'],
    [{ address: 1 }, 'address must be an object'],
    [{ address: { town: 1 } }, 'address.city is required; address.town is not known'],
    [{ taken: 'x' }, 'taken is taken already'],
    [{ taken: 'x', other: 1 }, 'taken is taken already; taken and other are taken already'],
  ])('%j', async (record, sentence) => {
    const sent = { method: 'POST', path: '/posts', headers: { 'Content-Type': 'application/json' } }
    const answer = await ask(server.url, { ...sent, body: JSON.stringify(record) })
    expect(json(answer)).toMatchObject({ message: `${sentence}.` })
  })
})

test.each([
  [
    { schemas: { posts: { properties: { title: { minLenght: 3 } } } } },
    'The schema of "posts" cannot be used: there is no keyword "minLenght", in /properties/title: did you mean "minLength"?',
  ],
  [
    { schemas: { posts: { properties: { title: { format: 'mail' } } } } },
    'The schema of "posts" cannot be used: there is no format "mail", in /properties/title: did you mean "email"?',
  ],
  [
    { schemas: { posts: { views: { type: 'integer' } } } },
    'The schema of "posts" cannot be used: there is no keyword "views": a field stands in "properties", as {"properties": {"views": {...}}}.',
  ],
  [
    { schemas: { posts: { properties: { a: { $ref: '#/$defs/none' } } } } },
    'The schema of "posts" cannot be used: "$ref": "#/$defs/none" leads to nothing: write "#/$defs/" and the name of a ' +
      'collection, or of what stands in "$defs".',
  ],
  [
    { schemas: { posts: { unique: true } } },
    'The schema of "posts" cannot be used: "unique" must be true in a field of the record, or beside "properties" a list ' +
      'of fields, such as ["email", ["shop", "number"]].',
  ],
  [
    { schemas: { posts: { $ref: '#/$defs/posts' } } },
    'The schema of "posts" cannot be used: a "$ref" leads back to itself without a field or an element between, or it is ' +
      'nested too deep.',
  ],
  [
    { schemas: { posts: { anyOf: [{ properties: { a: { readOnly: true } } }] } } },
    'The schema of "posts" cannot be used: "readOnly" does not act below /anyOf, in /anyOf/0/properties/a: write it in ' +
      '"properties", beside "anyOf".',
  ],
  [
    { schemas: { posts: { properties: { list: { items: { properties: { a: { readOnly: true } } } } } } } },
    'The schema of "posts" cannot be used: "readOnly" does not act in the elements of a list, in ' +
      '/properties/list/items/properties/a: leave it out.',
  ],
  [
    { schemas: { posts: { properties: { a: { type: 'strin' } } } } },
    'The schema of "posts" cannot be used: there is no type "strin", in /properties/a: did you mean "string"?',
  ],
  [
    { schemas: { posts: { properties: { a: { type: 'Date' } } } } },
    'The schema of "posts" cannot be used: there is no type "Date", in /properties/a: it can be string, number, integer, ' +
      'boolean, array, object, null.',
  ],
  [
    { schemas: { posts: { properties: { a: { format: 'color-hex' } } } } },
    'The schema of "posts" cannot be used: there is no format "color-hex", in /properties/a: leave it out, or write a ' +
      '"pattern".',
  ],
  [
    { schemas: { posts: { properties: { a: { markdown: 1 } } } } },
    'The schema of "posts" cannot be used: there is no keyword "markdown", in /properties/a: leave it out, or call it ' +
      '"x-markdown".',
  ],
  [
    { schemas: { posts: { properties: { views: { type: 'integer', default: 'x' } } } } },
    'The schema of "posts" cannot be used: "default" does not fit its own schema, in /properties/views: change one of them.',
  ],
  [
    { schemas: { type: 'object', properties: { title: { type: 'string' } } } },
    'The schema of "type" cannot be used: it must be an object. If "type" is no collection, write the schema below the ' +
      'name of one, as {"posts": {"type": ...}}.',
  ],
  [
    { schemas: { properties: { title: { type: 'string' } } } },
    'If "properties" is no collection, write the schema below the name of one, as {"posts": {"properties": ...}}.',
  ],
  ...(
    [
      [{ required: true }, 'required', 'it is a list of names beside "properties", such as ["title"]'],
      [{ exclusiveMinimum: true }, 'exclusiveMinimum', 'it is the limit itself, in place of "minimum"'],
      [{ exclusiveMaximum: true }, 'exclusiveMaximum', 'it is the limit itself, in place of "maximum"'],
      [{ items: [{}] }, 'items', 'the list is "prefixItems"'],
      [{ additionalItems: false }, 'additionalItems', 'it is "items", beside "prefixItems"'],
      [{ id: 'a' }, 'id', 'it is "$id"'],
      [
        { nullable: true },
        'nullable',
        'write {"anyOf": [{...}, {"type": "null"}]}, or name a "type" beside it',
      ],
    ] as const
  ).map(([a, keyword, advice]): [object, string] => [
    { schemas: { posts: { properties: { a } } } },
    `The schema of "posts" cannot be used: "${keyword}" is that of an older draft, in /properties/a: in 2020-12, ${advice}.`,
  ]),
  [
    { schemas: {}, schemaRefusal: { body: '$error' } },
    'schema-refusal: there is no "$error": it can be $message, $errors, $first, $list, $texts, $status.',
  ],
  [{ schemaRefusal: 400 }, 'schema-refusal needs schemas: add --schemas schemas.json.'],
  [
    { timeStamps: ['a', 'b', 'c'] },
    'timeStamps must be one or two names of fields, for instance createdAt,updatedAt.',
  ],
])('schemas that cannot be used: %j', (options, sentence) => {
  expect(() => makeApp({ data: {}, ...options })).toThrow(sentence)
})
