import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterTime } from '../../../lib/http/after-time'
import { EventStream } from '../../../lib/http/event-stream'
import { whenAnswered, whenClosed } from '../../../lib/http/response-end'
import { serve } from '../../support/http'

/** The response for a client that has gone. */
async function closedResponse(accept: string): Promise<ServerResponse> {
  const arrived: ServerResponse[] = []
  const server = await serve((_request, response) => arrived.push(response))
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: ${accept}\r\n\r\n`)
  while (arrived.length === 0) await new Promise(setImmediate)
  const [response] = arrived
  if (response === undefined) throw new Error('There is no response.')
  const closed = once(response, 'close')
  socket.destroy()
  await closed
  await server.close()
  return response
}

afterEach(() => jest.useRealTimers())

describe.each(['*/*', 'text/event-stream'])(
  'of a response that has closed, to a request for %s',
  (accept) => {
    test('it is said at once, and once', async () => {
      const response = await closedResponse(accept)
      const listener = jest.fn()
      whenClosed(response, listener)
      whenAnswered(response, listener)
      expect(listener).toHaveBeenCalledTimes(2)
      expect(response.eventNames()).not.toContain('close')
    })

    test('nothing goes on after a time, and no heartbeat is left', async () => {
      const response = await closedResponse(accept)
      jest.useFakeTimers()
      const proceed = jest.fn()
      afterTime(100, response, proceed)
      new EventStream(response, Buffer.from('event: loaded\ndata: 1\n\n'), () => true)
      expect(jest.getTimerCount()).toBe(0)
      jest.advanceTimersByTime(100)
      expect(proceed).not.toHaveBeenCalled()
    })
  },
)
