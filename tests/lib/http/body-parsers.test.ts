import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { jsonParser } from '../../../lib/http/body-parsers'
import { serveHandlers } from '../../support/http'

test('a body that turns out to be too long is refused once, though its parser refuses it as well', async () => {
  const passedOn: unknown[] = []
  const parse = jsonParser({ limit: 10, strict: true })
  const server = await serveHandlers((request, response) => {
    parse(request, response, (error) => passedOn.push(error))
    request.once('end', () => setImmediate(() => response.end()))
    request.resume()
  })
  // Without a length, it is sent in chunks.
  const sent = send(server.url, { method: 'POST', headers: { 'Content-Type': 'application/json' } })
  sent.write('"0123456789"')
  sent.end()
  const answers: IncomingMessage[] = await once(sent, 'response')
  for (const answer of answers) answer.resume()
  expect(passedOn).toEqual([expect.objectContaining({ status: 413 })])
  await server.close()
})
