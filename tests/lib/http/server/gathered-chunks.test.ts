import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withGatheredChunks } from '../../../../lib/http/server/gathered-chunks'

/** The Buffers in which a server gets a body that a client sends in these chunks. */
async function received(chunks: readonly string[]): Promise<Buffer[]> {
  const buffers: Buffer[] = []
  const server = createServer(
    withGatheredChunks((incoming, response) => {
      incoming.on('data', (buffer: Buffer) => buffers.push(buffer)).on('end', () => response.end())
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: Partial<AddressInfo> = Object(server.address())
  const sent = request({ port, host: '127.0.0.1', method: 'POST' })
  sent.cork()
  for (const chunk of chunks) sent.write(chunk)
  sent.end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  response?.resume()
  server.close()
  return buffers
}

it('hands on a body of small chunks in few pieces', async () => {
  const buffers = await received(Array.from({ length: 50_000 }, (_, index) => String(index % 10)))
  expect(String(Buffer.concat(buffers))).toBe('0123456789'.repeat(5_000))
  expect(buffers.length).toBeLessThan(500)
})

it('keeps chunks of all sizes in their order', async () => {
  const chunks = Array.from({ length: 300 }, (_, index) =>
    String(index % 10).repeat((index * 37) % 3_000 || 1),
  )
  expect(String(Buffer.concat(await received(chunks)))).toBe(chunks.join(''))
})
