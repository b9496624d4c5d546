import jwt from 'jsonwebtoken'
import { REFRESH_LIFETIME, Sessions, type SessionTokens } from '../../../lib/accounts/sessions'
import { type Claims, signingKey, verifyToken } from '../../../lib/auth/access-token'

const KEY = signingKey('the signing secret of these tests only')
const START = Date.UTC(2026, 0, 1) / 1000
const LIFETIME = 3600

let now: number
let sessions: Sessions

beforeEach(() => {
  now = START
  sessions = newSessions()
})

function newSessions(
  options: { keys?: { secret: typeof KEY }; strict?: boolean; lifetime?: number } = {},
): Sessions {
  const clock = () => now * 1000
  const endedIds = { sessions: new Set<string>(), usedTokens: new Set<string>() }
  return new Sessions({
    keys: { secret: KEY },
    clock,
    lifetime: LIFETIME,
    refreshOnce: false,
    sandbox: undefined,
    isApart: false,
    endedIds,
    ...options,
  })
}

function claimsOf(token: string): Claims {
  const { claims, refusal } = verifyToken(token, KEY, now)
  if (refusal !== undefined) throw new Error(refusal.reason)
  return claims
}

/** Whether an access token is let in. */
function letsIn({ accessToken }: SessionTokens): boolean {
  return sessions.ended.refusalOf(claimsOf(accessToken)) === undefined
}

function logIn(): SessionTokens {
  return sessions.signTokens({ sub: '1' })
}

/** The tokens for a refresh token; undefined where it is refused. */
function refresh({ refreshToken }: SessionTokens): SessionTokens | undefined {
  const { claims } = sessions.readRefreshToken(refreshToken)
  if (claims === undefined || sessions.use(claims) !== undefined) return undefined
  return sessions.signTokens({ sub: claims.sub }, { previous: claims })
}

function refreshed(tokens: SessionTokens | undefined): SessionTokens {
  const next = tokens && refresh(tokens)
  if (next === undefined) throw new Error('The refresh token was refused.')
  return next
}

describe('tokens', () => {
  test('both say who it is, and which session; each is another one', () => {
    const first = logIn()
    const second = refreshed(first)
    const tokens = [first, second].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])
    const claims = tokens.map((token) => jwt.decode(token, { json: true }))
    expect(new Set(claims.map((its) => its?.sid)).size).toBe(1)
    expect(new Set(claims.map((its) => its?.jti)).size).toBe(4)
    expect(claims).toEqual(Array(4).fill(expect.objectContaining({ sub: '1', iat: START })))
    expect(claims.map((its) => Number(its?.exp) - START)).toEqual([
      LIFETIME,
      REFRESH_LIFETIME,
      LIFETIME,
      REFRESH_LIFETIME,
    ])
  })

  test('what a record says is no session', () => {
    const { accessToken } = sessions.signTokens({ sub: '1', sid: 'x', jti: 'y', iat: 1, exp: 9e12 })
    expect(claimsOf(accessToken)).toMatchObject({ iat: START, exp: START + LIFETIME })
    expect(claimsOf(accessToken).sid).not.toBe('x')
    expect(claimsOf(accessToken).jti).not.toBe('y')
  })

  test('neither kind passes for the other', () => {
    const { accessToken, refreshToken } = logIn()
    expect(verifyToken(refreshToken, KEY, now)).toHaveProperty(
      'refusal.reason',
      expect.stringContaining('refresh'),
    )
    expect(sessions.readRefreshToken(accessToken)).toHaveProperty(
      'refusal.reason',
      expect.stringContaining('refresh'),
    )
  })

  test('a refresh token lasts seven days, and is of one secret', () => {
    const tokens = logIn()
    expect(
      newSessions({ keys: { secret: signingKey('other') } }).readRefreshToken(tokens.refreshToken),
    ).toHaveProperty('refusal.reason')
    now += 7 * 24 * 3600 - 1
    expect(refresh(tokens)).toBeDefined()
    now += 1
    expect(refresh(tokens)).toBeUndefined()
  })
})

describe('refresh tokens', () => {
  test('are each good for one use after the other', () => {
    let tokens = logIn()
    for (let times = 0; times < 20; times += 1) tokens = refreshed(tokens)
    expect(letsIn(tokens)).toBe(true)
  })

  test('an old one goes on until its successor is used, and then its use ends the session', () => {
    const first = logIn()
    const second = refreshed(first)
    const alsoSecond = refreshed(first)
    expect(refresh(first)).toBeDefined()
    const third = refreshed(second)
    expect(letsIn(first)).toBe(true)
    expect(refresh(first)).toBeUndefined()
    for (const tokens of [first, second, alsoSecond, third]) {
      expect(letsIn(tokens)).toBe(false)
      expect(refresh(tokens)).toBeUndefined()
    }
  })

  test('two tabs that begin with one token go on, each with its own', () => {
    const first = logIn()
    let [one, two] = [refreshed(first), refreshed(first)]
    for (let times = 0; times < 5; times += 1) {
      one = refreshed(one)
      two = refreshed(two)
    }
    expect(letsIn(one)).toBe(true)
  })

  test('a page that keeps the first goes on', () => {
    const first = logIn()
    for (let times = 0; times < 20; times += 1) expect(refresh(first)).toBeDefined()
  })

  test('with strict rotation, another use ends the session, in the same tick as well', () => {
    sessions.refreshOnce = true
    const first = logIn()
    const second = refreshed(first)
    expect(letsIn(second)).toBe(true)
    expect(refresh(first)).toBeUndefined()
    expect(letsIn(second)).toBe(false)
    expect(refresh(second)).toBeUndefined()
  })

  test('strict rotation can begin while a session is under way', () => {
    const first = logIn()
    const second = refreshed(first)
    sessions.refreshOnce = true
    expect(refresh(first)).toBeDefined()
    expect(refresh(second)).toBeDefined()
    expect(refresh(second)).toBeUndefined()
  })

  test('a session that ends ends no other', () => {
    const [one, two] = [logIn(), logIn()]
    sessions.ended.end(claimsOf(one.accessToken))
    expect(letsIn(one)).toBe(false)
    expect(letsIn(two)).toBe(true)
    expect(refresh(one)).toBeUndefined()
    expect(refresh(two)).toBeDefined()
  })
})

test('tokens are judged by the clock of their own data', () => {
  const { accessToken } = logIn()
  const claims = claimsOf(accessToken)
  now += LIFETIME - 1
  expect(sessions.ended.refusalOf(claims)).toBeUndefined()
  now += 1
  expect(sessions.ended.refusalOf(claims)).toHaveProperty('isInvalidToken', true)
})

describe('ended sessions', () => {
  test('a restart with the same secret ends none, and forgets those that have ended', () => {
    const [one, two] = [logIn(), logIn()]
    sessions.ended.end(claimsOf(one.accessToken))
    sessions = newSessions()
    expect(refresh(one)).toBeDefined()
    expect(refresh(two)).toBeDefined()
  })

  test('at most 10,000 are remembered, the newest', () => {
    const begun = Array.from({ length: 10_001 }, (_, index) => ({ sid: `s${index}`, exp: START + LIFETIME }))
    for (const claims of begun) sessions.ended.end(claims)
    const ended = begun.filter((claims) => sessions.ended.refusalOf(claims) !== undefined)
    expect(ended).toEqual(begun.slice(1))
  })

  test('no number of refreshes makes the end of another session be forgotten', () => {
    const left = claimsOf(logIn().accessToken)
    sessions.ended.end(left)
    for (let index = 0; index < 10_001; index += 1) sessions.ended.noteUse(`token ${index}`)
    expect(sessions.ended.refusalOf(left)).toBeDefined()
  })

  test('they are remembered until no token of theirs can be valid', () => {
    sessions = newSessions({ lifetime: 2 * REFRESH_LIFETIME })
    const tokens = logIn()
    sessions.ended.end(claimsOf(tokens.accessToken))
    now += 2 * REFRESH_LIFETIME - 1
    sessions.ended.end({ sid: 'another', exp: now + 1 })
    expect(letsIn(tokens)).toBe(false)
  })

  test('a token without a session is one by itself', () => {
    const claims = { email: 'a@b.c', password: 'x', iat: START, exp: START + 10 * REFRESH_LIFETIME }
    sessions.ended.end({ ...claims })
    now += 9 * REFRESH_LIFETIME
    sessions.ended.end({ sid: 'another', exp: now })
    expect(sessions.ended.refusalOf({ ...claims })).toBeDefined()
    expect(sessions.ended.refusalOf({ ...claims, iat: START + 1 })).toBeUndefined()
  })
})

describe('endAll', () => {
  test('refuses every token from before, whatever it is, and none from after', () => {
    const before = logIn()
    const specified = { email: 'a@b.c', password: 'x', exp: START + LIFETIME }
    sessions.ended.endAll()
    expect(letsIn(before)).toBe(false)
    expect(refresh(before)).toBeUndefined()
    expect(sessions.ended.refusalOf(specified)).toBeDefined()
    expect(sessions.ended.refusalOf({ ...specified, series: sessions.ended.series })).toBeUndefined()
    const after = logIn()
    expect(letsIn(refreshed(after))).toBe(true)
    sessions.ended.endAll()
    expect(letsIn(after)).toBe(false)
    expect(letsIn(logIn())).toBe(true)
  })

  test('a token of other data that had its own end is refused, too', () => {
    const others = newSessions()
    others.ended.endAll()
    sessions.ended.endAll()
    expect(letsIn(others.signTokens({ sub: '1' }))).toBe(false)
  })
})
