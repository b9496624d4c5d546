import { once } from 'node:events'
import fs from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
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
