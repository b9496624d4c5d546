import type { RequestHandler } from 'express'
import { createApp } from '../../../../server'
import { sampleData } from '../../../support/data'
import { ask, serve } from '../../../support/http'

const data = sampleData()

test.each([
  { given: 'GET /posts', sentence: /^allow: 'GET \/posts' .*array/ },
  { given: { GET: '/posts' }, sentence: /^allow: .*array/ },
])('createApp says what allow must be instead of $given', ({ given, sentence }) => {
  const options = { data, allow: [] }
  Object.assign(options, { allow: given })
  expect(() => createApp(options)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(sentence) }),
  )
})

test.each([undefined, null, 'mw.js', {}])('createApp says that %p is no middleware', (given) => {
  const options = { data, middlewares: [] }
  Object.assign(options, { middlewares: [given] })
  expect(() => createApp(options)).toThrow(/middleware.*function/)
})

test('as in Express, one of the middlewares may be an array of others, whose rejections are caught', async () => {
  const mark: RequestHandler = (_request, response, next) => {
    response.set('X-Mark', 'yes')
    next()
  }
  const reject: RequestHandler = () => Promise.reject(new Error('refused'))
  const options = { data, allow: 'all' as const, log: false, middlewares: [] }
  Object.assign(options, { middlewares: [[mark, [reject]]] })
  const silenced = jest.spyOn(console, 'error').mockImplementation()
  const server = await serve(createApp(options))
  const { status, headers } = await ask(server.url, { path: '/posts' })
  expect({ status, mark: headers['x-mark'] }).toEqual({ status: 500, mark: 'yes' })
  silenced.mockRestore()
  await server.close()
})
