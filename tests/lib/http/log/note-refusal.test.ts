import type { RequestHandler } from 'express'
import { logNotes } from '../../../../lib/http/log/log-notes'
import { noteRefusal } from '../../../../lib/http/log/note-refusal'
import { ask, json, serveHandlers } from '../../../support/http'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'

test.each([
  [403, { message: 'Only for Ada' }, 'Only for Ada'],
  [422, { error: 'A name\nis needed' }, 'A name is needed'],
  [400, { message: 5, error: 'Too long' }, 'Too long'],
  [400, { message: '', error: 'Too long' }, 'Too long'],
  [400, { error: { message: 'Inside' } }, 'Inside'],
  [401, { message: `not ${TOKEN}` }, 'not ***'],
  [400, { message: 'x'.repeat(200) }, 'x'.repeat(100)],
  [400, { text: 'x' }, undefined],
  [400, ['x'], undefined],
  [200, { message: 'x' }, undefined],
  [500, { message: 'x' }, undefined],
])('%d with %j: %s', async (status, body, reason) => {
  for (const method of ['send', 'json', 'jsonp'] as const) {
    const { answer, noted } = await refusal((_request, response) => response.status(status)[method](body))
    expect([answer.status, json(answer)]).toEqual([status, body])
    expect(noted).toBe(reason)
  }
})

test.each([
  ['Only for Ada', 'Only for Ada'],
  ['"Only for Ada"', 'Only for Ada'],
  [`Only for Ada\n${TOKEN}`, 'Only for Ada ***'],
  ['<p>Only for Ada</p>', undefined],
  ['', undefined],
])('the text %j: %s', async (text, reason) => {
  for (const method of ['send', 'end'] as const) {
    const { answer, noted } = await refusal((_request, response) => response.status(403)[method](text))
    expect(answer.text).toBe(text)
    expect(noted).toBe(reason)
  }
})

test('a script that is sent in place of JSON is no reason', async () => {
  const { answer, noted } = await refusal((_request, response) => {
    response.req.query = { callback: 'show' }
    response.status(403).jsonp({ message: 'Only for Ada' })
  })
  expect(answer.text).toContain('show({')
  expect(noted).toBeUndefined()
})

/** The response of a middleware of the user's, and what is noted of it. */
async function refusal(refuse: RequestHandler) {
  let noted: string | undefined
  const server = await serveHandlers(noteRefusal, (request, response, next) => {
    refuse(request, response, next)
    noted = logNotes(response).reason
  })
  const answer = await ask(server.url, { path: '/' })
  await server.close()
  return { answer, noted }
}
