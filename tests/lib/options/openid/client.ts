import { createHash } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { isRecord } from '../../../../lib/is-record'
import type { AppOptions } from '../../../../server'
import { serveApp } from '../../../support/app'
import { CookieClient } from '../../../support/cookies'
import { type Answer, ask, json, type TestServer } from '../../../support/http'
import '../../../support/rsa-key'

export const MIA = { id: 7, email: 'mia@example.com', password: 'sourdough', name: 'Mia', role: 'admin' }
export const NOAH = { id: 8, email: 'noah@example.com', password: 'rye', username: 'noah' }
export const BACK = 'http://localhost:5173/callback?from=login'
export const PATH = '/protocol/openid-connect'

const VERIFIER = 'a-verifier-that-is-long-enough-for-rfc-7636-to-take'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

type Fields = Readonly<Record<string, string>>
type Headers = Record<string, string>

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** What a client asks for, unless a test says otherwise. */
const ASKED = {
  client_id: 'spa',
  redirect_uri: BACK,
  response_type: 'code',
  scope: 'openid profile email',
  state: 'the state',
  nonce: 'the nonce',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}

/** The tokens of a response, or its error. */
export interface Tokens {
  status: number
  access_token: string
  refresh_token: string
  id_token: string
  error: string
}

/** Serves users and tasks with a provider; `server` closes it. */
export async function serveProvider(options: Partial<AppOptions> = {}): Promise<TestServer> {
  return serveApp({ data: { users: [MIA, NOAH], tasks: [{ id: 1 }] }, openid: true, ...options })
}

/** Serves a provider for each test of a file, and a client of it. */
export function openidTests() {
  let server: TestServer
  const tests = {
    client: new OpenidClient(''),
    get url(): string {
      return server.url
    },
    async start(options: Partial<AppOptions> = {}): Promise<void> {
      server = await serveProvider(options)
      tests.client = new OpenidClient(server.url)
    },
    close: () => server.close(),
  }
  afterEach(() => server.close())
  return tests
}

/** A client, the browser that it sends to the provider, and the person in front of it. */
export class OpenidClient {
  readonly browser: CookieClient
  readonly url: string
  /** The path of the issuer, and headers of each request of the browser. */
  readonly #prefix: string
  readonly #headers: Headers

  constructor(url: string, { prefix = '', headers = {} }: { prefix?: string; headers?: Headers } = {}) {
    this.url = url
    this.#prefix = prefix
    this.#headers = headers
    this.browser = new CookieClient(url)
  }

  /** Opens the page of the provider. */
  open(asked: Fields = {}, headers: Headers = {}): Promise<Answer> {
    return this.browser.send(`GET ${this.#pathWith(asked)}`, undefined, { ...this.#headers, ...headers })
  }

  /** Sends its form. */
  logIn(asked: Fields = {}, person: Fields = {}, headers: Headers = {}): Promise<Answer> {
    const body = { username: MIA.email, password: MIA.password, ...person }
    return this.browser.send(`POST ${this.#pathWith(asked)}`, body, { ...this.#headers, ...headers })
  }

  /** Asks for the tokens of a code. */
  exchange(answer: Answer | string, fields: Fields = {}, headers: Headers = {}): Promise<Tokens> {
    const code = typeof answer === 'string' ? answer : String(sentBack(answer).get('code'))
    return this.token({ grant_type: 'authorization_code', code, ...fields }, headers)
  }

  refresh(refreshToken: string, fields: Fields = {}, headers: Headers = {}): Promise<Tokens> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...fields }, headers)
  }

  async token(fields: Fields, headers: Headers = {}): Promise<Tokens> {
    const sent = { redirect_uri: BACK, code_verifier: VERIFIER, ...fields }
    const answer = await this.form('/token', sent, headers)
    return { ...tokensIn(json(answer)), status: answer.status }
  }

  /** Sends a form to an endpoint. */
  form(endpoint: string, fields: Fields, headers: Headers = {}): Promise<Answer> {
    return ask(this.url, {
      method: 'POST',
      path: `${this.#prefix}${PATH}${endpoint}`,
      headers: { ...FORM, ...headers },
      body: String(new URLSearchParams({ client_id: 'spa', ...fields })),
    })
  }

  /** The status of a request with a token. */
  async status(path: string, token: string): Promise<number> {
    return (await this.get(path, token)).status
  }

  get(path: string, token: string): Promise<Answer> {
    return ask(this.url, { path, headers: { Authorization: `Bearer ${token}` } })
  }

  logOut(fields: Fields, headers: Headers = {}): Promise<Answer> {
    return this.browser.send(`GET ${PATH}/logout?${new URLSearchParams(fields)}`, undefined, headers)
  }

  #pathWith(asked: Fields): string {
    return `${this.#prefix}${PATH}/auth?${new URLSearchParams({ ...ASKED, ...asked })}`
  }
}

/** What the browser brings back to the client. */
export function sentBack({ headers }: Answer): URLSearchParams {
  return new URL(String(headers.location)).searchParams
}

function tokensIn(body: unknown): Omit<Tokens, 'status'> {
  const text = (name: string) => (isRecord(body) && typeof body[name] === 'string' ? body[name] : '')
  return {
    access_token: text('access_token'),
    refresh_token: text('refresh_token'),
    id_token: text('id_token'),
    error: text('error'),
  }
}

/** What a token says, whoever has signed it. */
export function said(token: string): Record<string, unknown> {
  const claims: unknown = jwt.decode(token)
  return isRecord(claims) ? claims : {}
}
