import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Connection } from '../../../../lib/http/server/connection'

test('a connection that is ended again still sends what the first end has begun to send', async () => {
  const size = 10_000_000
  const server = createServer()
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket)
    connection.end('a'.repeat(size))
    connection.end('and no more')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No TCP port.')
  const client = connect(address.port, '127.0.0.1')
  let length = 0
  client.on('data', (bytes) => {
    length += bytes.length
  })
  client.on('error', () => {})
  await once(client, 'close')
  server.close()
  expect(length).toBe(size)
})
