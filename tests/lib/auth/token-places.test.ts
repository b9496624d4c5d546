import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tokenPlaces, tokensIn } from '../../../lib/auth/token-places'

/** What has been read, in the order of the places. */
function read(tokenIn: string | string[], headers: Record<string, string | undefined>) {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  return tokenPlaces(tokenIn).flatMap((place) => tokensIn(place, request))
}

function first(tokenIn: string | string[], headers: Record<string, string | undefined>) {
  return read(tokenIn, headers)[0]
}

test.each([
  { tokenIn: [], headers: { authorization: 'Bearer t' } },
  { tokenIn: ['x-access-token'], headers: { authorization: 'Bearer t' } },
  { tokenIn: ['x-access-token'], headers: { 'x-access-token': 't' } },
  { tokenIn: ['X-Access-Token'], headers: { 'x-access-token': 't' } },
  { tokenIn: ['token'], headers: { token: 'Bearer t' } },
  { tokenIn: ['authorization'], headers: { authorization: 't' } },
  { tokenIn: ['Authorization'], headers: { authorization: 'Bearer t' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'session=t' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'a=1;session=t;b=2' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'a; session = t ; b' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'session=t; session=u' } },
  { tokenIn: ['cookie:__proto__'], headers: { cookie: '__proto__=t' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'session=t', authorization: '' }, token: undefined },
  { tokenIn: ['cookie:session', 'token'], headers: { cookie: 'session=u', token: 't' } },
  { tokenIn: ['token'], headers: { authorization: 'Bearer t', token: 'u' } },
])('a token in $headers with $tokenIn', ({ tokenIn, headers, ...row }) => {
  if ('token' in row) expect(first(tokenIn, headers)).toHaveProperty('reason')
  else expect(first(tokenIn, headers)).toBe('t')
})

test.each([
  {
    tokenIn: [],
    headers: { 'x-access-token': 't', token: 't', cookie: 'session=t; token=t; cookie:session=t' },
  },
  { tokenIn: ['cookie:session'], headers: {} },
  { tokenIn: ['cookie:session'], headers: { cookie: '' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'session' } },
  {
    tokenIn: ['cookie:session'],
    headers: { cookie: 'xsession=t; session2=t; Session=t; ses=t; =t; a=session=t' },
  },
  { tokenIn: ['cookie:__proto__'], headers: { cookie: 'session=t' } },
  { tokenIn: ['cookie:constructor'], headers: { cookie: 'session=t' } },
  { tokenIn: ['cookie:session'], headers: { session: 't' } },
  { tokenIn: ['__proto__', 'constructor'], headers: {} },
])('nothing is read from $headers with $tokenIn', ({ tokenIn, headers }) => {
  expect(first(tokenIn, headers)).toBeUndefined()
})

test.each([
  { tokenIn: [], headers: { authorization: 't' } },
  { tokenIn: [], headers: { authorization: 'Bearer' } },
  { tokenIn: [], headers: { authorization: 'Bearer a\nb' } },
  { tokenIn: [], headers: { authorization: ' Bearer a' } },
  { tokenIn: ['authorization'], headers: { authorization: 'Basic t' } },
  { tokenIn: ['authorization'], headers: { authorization: 'Bearer ' } },
  { tokenIn: ['token'], headers: { token: '' } },
  { tokenIn: ['token'], headers: { token: 't u' } },
  { tokenIn: ['cookie:session'], headers: { cookie: 'session=t', 'sec-fetch-site': 'cross-site' } },
])('no token, and a reason without a value: $headers with $tokenIn', ({ tokenIn, headers }) => {
  const sent = first(tokenIn, headers)
  expect(sent).toMatchObject({ reason: expect.not.stringContaining('t u') })
  expect(sent).toHaveProperty('reason')
  expect(sent).not.toHaveProperty('isInvalidToken')
})

test.each([
  'cookie',
  'cookie:',
  'cookie:a b',
  'cookie:a=b',
  'cookie:a;b',
  'a b',
  '',
  'Set-Cookie',
  'query:token',
  'header:x',
])('the place %j is refused', (place) => {
  expect(() => tokenPlaces([place])).toThrow(JSON.stringify(place).slice(1, -1))
})
