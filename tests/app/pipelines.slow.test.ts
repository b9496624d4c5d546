import { once } from 'node:events'
import { connect } from 'node:net'
import { newFolder, sampleData } from '../support/data'
import { ask } from '../support/http'
import { killAll, Launched, PROGRAMS } from '../support/process'

afterEach(killAll)

/** 27 kB. */
const PIPELINE = 'GET /blogs/1 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(800)

it('a server with a heap of 128 MB lives while 300 connections send 800 requests each', async () => {
  const server = await Launched.listening({
    program: ['--max-old-space-size=128', ...PROGRAMS.ours],
    folder: await newFolder({ 'db.json': JSON.stringify(sampleData()) }),
    args: ['--quiet', '--host', '127.0.0.1'],
  })
  const { hostname, port } = new URL(server.url)
  const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname))
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(PIPELINE)
      await once(socket, 'data')
    }),
  )
  for (let round = 0; round < 20; round += 1)
    expect((await ask(server.url, { path: '/blogs/1' })).status).toBe(200)
  for (const socket of sockets) socket.resetAndDestroy()
  expect((await ask(server.url, { path: '/blogs/1' })).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
