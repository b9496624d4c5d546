import { once } from 'node:events'
import fs from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import express from 'express'
import { createApp } from '../../../../server'
import { makeFolder, sampleData } from '../../../support/data'
import { ask, serve, serveHandlers } from '../../../support/http'

afterEach(() => jest.restoreAllMocks())

const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`

function connectTo(url: string) {
  return connect(Number(new URL(url).port), '127.0.0.1')
}

test('requests that are sent together are handled one after the other, in their order', async () => {
  const events: string[] = []
  const server = await serveHandlers(({ path: target }, response) => {
    events.push(`begin ${target}`)
    setImmediate(() => {
      events.push(`end ${target}`)
      response.end(`response to ${target}`, () => {})
    })
  })
  const socket = connectTo(server.url)
  socket.write(request('/1') + request('/2') + request('/3'))
  let received = ''
  while (!received.includes('response to /3')) received += String(await once(socket, 'data'))
  expect(events).toEqual(['begin /1', 'end /1', 'begin /2', 'end /2', 'begin /3', 'end /3'])
  expect(received.match(/response to \/\d/g)).toHaveLength(3)
  socket.destroy()
  await server.close()
})

test('many requests of one connection do not keep another client waiting', async () => {
  const handled: string[] = []
  const server = await serveHandlers(({ path: target }, response) => {
    handled.push(target)
    if (handled.length === 1) other.write(request('/other'))
    response.end()
  })
  const other = connectTo(server.url)
  await once(other, 'connect')
  const busy = connectTo(server.url).resume()
  busy.write(request('/busy').repeat(500))
  await once(other, 'data')
  expect(handled.filter((target) => target === '/busy').length).toBeLessThan(100)
  for (const socket of [busy, other]) socket.destroy()
  await server.close()
})

test('between the long targets of many connections, ten turns of the event loop are for others', async () => {
  const COUNT = 20
  const turns: number[] = []
  let turn = 0
  const countTurns = () => {
    turn += 1
    if (turns.length < COUNT) setImmediate(countTurns)
  }
  const server = await serveHandlers(({ path: target }, response) => {
    if (target === '/long') turns.push(turn)
    response.end()
  })
  const sockets = Array.from({ length: COUNT }, () => connectTo(server.url))
  // A turn accepts one connection.
  for (const socket of sockets) socket.write(request('/first'))
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  countTurns()
  for (const socket of sockets) socket.write(request(`/long?${'a=1&'.repeat(1000)}`))
  await Promise.all(sockets.map((socket) => once(socket, 'data')))
  expect(Math.max(...turns) - Math.min(...turns)).toBeGreaterThanOrEqual((COUNT - 1) * 10)
  for (const socket of sockets) socket.destroy()
  await server.close()
})

test('neither does what Express does ahead of every middleware: parse their queries', async () => {
  let parsed = 0
  const app = express().set('query parser', () => {
    parsed += 1
    if (parsed === 1) other.write(request('/other'))
    return {}
  })
  app.use((_request, response) => {
    response.end()
  })
  const server = await serve(app)
  const other = connectTo(server.url)
  await once(other, 'connect')
  const busy = connectTo(server.url).resume()
  busy.write(request('/busy?a=1').repeat(500))
  await once(other, 'data')
  expect(parsed).toBeLessThan(100)
  for (const socket of [busy, other]) socket.destroy()
  await server.close()
})

test('a request whose client disconnects before its turn is not handled', async () => {
  const handled: string[] = []
  const server = await serveHandlers(({ path: target, socket }, response) => {
    handled.push(target)
    if (target === '/1') socket.destroy()
    else response.end()
  })
  const socket = connectTo(server.url).on('error', () => {})
  socket.write(request('/1') + request('/2'))
  await once(socket, 'close')
  await ask(server.url, { path: '/3' })
  expect(handled).toEqual(['/1', '/3'])
  await server.close()
})

test('nor is one with a long target', async () => {
  const handled: string[] = []
  const sockets = new Map<string, Socket>()
  const server = await serveHandlers(({ path: target }, response) => {
    handled.push(target)
    // Another connection has a request that waits.
    if (handled.length === 1)
      for (const [other, socket] of sockets) if (other !== target) socket.resetAndDestroy()
    response.end()
  })
  for (const target of ['/1', '/2']) {
    const socket = connectTo(server.url).on('error', () => {})
    sockets.set(target, socket)
    await once(socket, 'connect')
  }
  for (const [target, socket] of sockets) socket.write(request(`${target}?${'a=1&'.repeat(1000)}`))
  await Promise.all(
    Array.from(sockets.values(), (socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])),
  )
  for (let round = 0; round < 20; round += 1) await ask(server.url, { path: '/' })
  expect(handled.filter((target) => target !== '/')).toHaveLength(1)
  for (const socket of sockets.values()) socket.destroy()
  await server.close()
})

test('a client that asks for a file many times, reads nothing and disconnects leaves no file open', async () => {
  const folder = await makeFolder()
  fs.writeFileSync(path.join(folder, 'large.bin'), Buffer.alloc(10_000_000))
  const server = await serve(createApp({ data: sampleData(), static: folder, log: false }))
  const opened = jest.spyOn(fs, 'open')
  const closed = jest.spyOn(fs, 'close')
  const socket = connectTo(server.url).pause()
  socket.write(request('/large.bin').repeat(100))
  while (opened.mock.calls.length === 0) await ask(server.url, { path: '/blogs' })
  // Other clients are served meanwhile.
  for (let round = 0; round < 20; round += 1) await ask(server.url, { path: '/blogs' })
  expect(opened.mock.calls.length).toBeLessThan(20)
  socket.destroy()
  while (closed.mock.calls.length < opened.mock.calls.length) await ask(server.url, { path: '/blogs' })
  await server.close()
  fs.rmSync(folder, { recursive: true })
})
