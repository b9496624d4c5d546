import { once } from 'node:events'
import { createServer } from 'node:net'
import { HOST } from './exchange'

/** A TCP port that nobody uses: the one that the system gives for port 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error(`No TCP port is free on ${HOST}.`)
  return address.port
}
