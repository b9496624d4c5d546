import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { messageClasses } from '../../../../lib/http/express/express-prototypes'
import { type Listening, listen } from '../../../../lib/http/server/listen'

describe('messageClasses', () => {
  const open: Listening[] = []
  afterEach(async () => {
    for (const listening of open.splice(0)) await listening.close(0)
  })

  it('give requests and responses the prototypes of the application before it sees them', async () => {
    const found: boolean[] = []
    const { request, response } = express()
    const handler = Object.assign(
      (incoming: IncomingMessage, outgoing: ServerResponse) => {
        found.push(Object.getPrototypeOf(incoming) === handler.request)
        found.push(Object.getPrototypeOf(outgoing) === handler.response)
        outgoing.end()
      },
      { request, response },
    )
    // Two addresses are two servers of one application.
    const listening = await listen(handler, { port: 0, host: 'localhost' })
    open.push(listening)
    await fetch(`http://127.0.0.1:${listening.port}/`)
    expect(found).toEqual([true, true])
  })

  it('keep two applications apart', () => {
    const [app, other] = [express(), express()]
    messageClasses(app)
    expect(app.request).toBeInstanceOf(IncomingMessage)
    expect(app.response).toBeInstanceOf(ServerResponse)
    expect(app.request.app).toBe(app)
    expect(other.request.app).toBe(other)
    expect(Object.getPrototypeOf(other.request)).toBe(express.request)
  })

  it('leave a handler that is not an Express application unchanged', () => {
    expect(messageClasses(() => {})).toEqual({})
  })
})
