import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { connect } from 'node:tls'
import { sendBody } from '../../../lib/http/send-json'
import { listen } from '../../../lib/http/server/listen'

/** A certificate for this machine alone, and its key. */
const CERTIFICATE = readFileSync(path.join(__dirname, '../../support/localhost.pem'))

it('over TLS, encrypts a large body as its client reads it', async () => {
  // It is more than the buffers of both sockets hold.
  const body = randomBytes(20_000_000)
  const responses: ServerResponse[] = []
  const listening = await listen(
    (_request, response) => {
      responses.push(response)
      sendBody(response, body)
    },
    { port: 0, host: '127.0.0.1', tls: { cert: CERTIFICATE, key: CERTIFICATE } },
  )
  const socket = connect({ port: listening.port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  while (!responses[0]?.writableNeedDrain && !responses[0]?.writableEnded) await new Promise(setImmediate)
  const kept = responses[0].writableLength

  const received: Buffer[] = []
  for await (const bytes of socket) received.push(bytes)
  await listening.close(0)
  const text = Buffer.concat(received)
  expect(text.subarray(text.indexOf('\r\n\r\n') + 4).equals(body)).toBe(true)
  expect(kept).toBeLessThan(body.length / 10)
})
