import type { RequestHandler } from 'express'
import { logNotes } from '../../../../lib/http/log/log-notes'
import { noteRefusal } from '../../../../lib/http/log/note-refusal'
import { ask, json, serveHandlers } from '../../../support/http'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl'

test.each([
  [403, { message: 'Only for Ada' }, 'Only for Ada'],
  [422, { error: 'A name\nis needed' }, 'A name is needed'],
  [400, { message: 5, error: 'Too long' }, 'Too long'],
  [400, { error: { message: 'Inside' } }, 'Inside'],
  [401, { message: `not ${TOKEN}` }, 'not ***'],
  [400, { message: 'x'.repeat(200) }, 'x'.repeat(100)],
  [400, { text: 'x' }, undefined],
  [400, ['x'], undefined],
  [200, { message: 'x' }, undefined],
  [500, { message: 'x' }, undefined],
])('%d with %j: %s', async (status, body, reason) => {
  let noted: string | undefined
  const refuse: RequestHandler = (_request, response) => {
    response.status(status).send(body)
    noted = logNotes(response).reason
  }
  const server = await serveHandlers(noteRefusal, refuse)
  const answer = await ask(server.url, { path: '/' })
  await server.close()
  expect([answer.status, json(answer)]).toEqual([status, body])
  expect(noted).toBe(reason)
})
