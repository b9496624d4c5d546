import { sampleData } from '../../../support/data'
import { type Answer, ask, type Question, question, serve } from '../../../support/http'

const loaded = jest.fn()
jest.mock('../../../../lib/options/openid/openid', () => {
  loaded()
  return jest.requireActual('../../../../lib/options/openid/openid')
})

/** Reads it after the module is replaced. */
const { createApp }: typeof import('../../../../server') = require('../../../../server')

test('without --openid nothing of it is loaded, and with it no other response changes', async () => {
  const options = { data: sampleData(), log: false, docs: true, secret: 'a secret of this test alone, long' }
  const without = await serve(createApp(options))
  expect(loaded).not.toHaveBeenCalled()
  const withIt = await serve(createApp({ ...options, openid: true }))
  expect(loaded).toHaveBeenCalledTimes(1)
  const asked: Question[] = [
    'GET /',
    'GET /docs',
    'GET /blogs',
    'GET /blogs/9',
    'GET /users',
    'GET /nothing',
    'GET /auth/me',
    'POST /auth/login {"email": "x", "password": "y"}',
    'POST /auth/login {',
    'OPTIONS /users',
    'GET /api/users.php',
    'GET /auth',
    'GET /protocol/openid-connect',
    'PUT /protocol/openid-connect/token',
  ].map(question)
  const seen = ({ status, headers: { date: _, ...headers }, text }: Answer) => ({ status, headers, text })
  for (const one of asked)
    expect({ one, ...seen(await ask(withIt.url, one)) }).toEqual({
      one,
      ...seen(await ask(without.url, one)),
    })
})
