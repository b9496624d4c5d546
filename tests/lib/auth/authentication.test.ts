import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import jwt from 'jsonwebtoken'
import { signingKey } from '../../../lib/auth/access-token'
import { Authentication } from '../../../lib/auth/authentication'
import { serveApp } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, authorized, logIn } from '../../support/http'

const HOUR = 3_600_000

test.each([
  { where: 'the main data', named: {}, readings: 2 },
  // The clock of the server decides who may control it, its own who may enter it.
  { where: 'a sandbox', named: { 'X-Sandbox': 'lab' }, readings: 2 },
])(
  'in $where, the token of a request is looked at once by each clock, and again in the next request',
  async (row) => {
    let now = 2 * HOUR
    let readings = 0
    const clock = () => {
      readings += 1
      return now
    }
    const server = await serveApp({ data: sampleData(), sandboxes: true, faults: [], clock })
    const headers = authorized(await logIn(server.url))
    const look = async () => {
      readings = 0
      const { status } = await ask(server.url, { path: '/users', headers: { ...headers, ...row.named } })
      return { status, readings }
    }
    expect(await look()).toEqual({ status: 200, readings: row.readings })
    now = 3 * HOUR - 1
    expect(await look()).toEqual({ status: 200, readings: row.readings })
    now = 3 * HOUR
    expect(await look()).toMatchObject({ status: 401 })
    await server.close()
  },
)

describe('tokens', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const REMEMBERED = 1000
  // With a string, jsonwebtoken takes forty times as long.
  const KEY = signingKey('a secret')

  afterEach(() => jest.restoreAllMocks())

  function visitorsOf(secret: string): Authentication {
    return new Authentication({ keys: { secret: signingKey(secret) }, clock: () => NOW })
  }

  function tokenIn(authentication: Authentication, token: string) {
    const request = new IncomingMessage(new Socket())
    request.headers.authorization = `Bearer ${token}`
    return authentication.verifiedTokenOf(request)
  }

  /** How many times signatures are verified for these tokens, one after the other. */
  function verifications(tokens: readonly string[]): number {
    const verify = jest.spyOn(jwt, 'verify')
    const authentication = visitorsOf('a secret')
    for (const token of tokens) tokenIn(authentication, token)
    return verify.mock.calls.length
  }

  function tokensOf(count: number): string[] {
    return Array.from({ length: count }, (_, id) => jwt.sign({ id, exp: NOW / 1000 + 60 }, KEY))
  }

  test('a token is verified once, however many requests carry it', () => {
    const [one = '', two = ''] = tokensOf(2)
    expect(verifications([one, two, one, two, one])).toBe(2)
  })

  test('a token is verified once, in whatever place it is sent', () => {
    const [token = ''] = tokensOf(1)
    const verify = jest.spyOn(jwt, 'verify')
    const authentication = new Authentication({
      keys: { secret: signingKey('a secret') },
      clock: () => NOW,
      tokenIn: ['token', 'cookie:session'],
    })
    for (const headers of [{ authorization: `Bearer ${token}` }, { token }, { cookie: `session=${token}` }]) {
      const request = new IncomingMessage(new Socket())
      Object.assign(request.headers, headers)
      expect(authentication.verifiedTokenOf(request)).toMatchObject({ claims: { id: 0 } })
    }
    expect(verify).toHaveBeenCalledTimes(1)
  })

  test('a token that is refused is verified each time', () => {
    const expired = jwt.sign({ exp: NOW / 1000 }, 'a secret')
    expect(verifications([expired, expired])).toBe(2)
  })

  test('a text that has not the form of a token is not verified', () => {
    expect(verifications(['a', 'undefined', 'a.b.c', `a.b.${'c'.repeat(85)}`, `a.b.${'c'.repeat(87)}`])).toBe(
      0,
    )
  })

  test('refused tokens make none forgotten', () => {
    const [token = ''] = tokensOf(1)
    const refused = Array.from({ length: REMEMBERED }, (_, index) => `a.b.${String(index).padStart(43, '0')}`)
    expect(verifications([token, ...refused, token])).toBe(1 + REMEMBERED)
  })

  test('a token that one key has signed is verified again for another', () => {
    const [token = ''] = tokensOf(1)
    expect(tokenIn(visitorsOf('a secret'), token)).toMatchObject({ claims: { id: 0 } })
    expect(tokenIn(visitorsOf('b secret'), token)).toHaveProperty('refusal.reason')
  })

  test.each([
    { others: REMEMBERED - 1, again: 0 },
    { others: REMEMBERED, again: 1 },
  ])('a token is verified $again times more after $others others, because of the limit', (row) => {
    const [token = '', ...more] = tokensOf(row.others + 1)
    expect(verifications([token, ...more, token])).toBe(row.others + 1 + row.again)
  })
})
