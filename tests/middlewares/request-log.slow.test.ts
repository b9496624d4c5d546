import { ask } from '../support/http'
import { killAll, Launched } from '../support/process'

afterEach(killAll)

test('a program that embeds the server survives when nobody reads its output any more', async () => {
  const program = `
    const { createApp } = require(process.env.COMPILED_SERVER)
    require('node:http').createServer(createApp({ data: { posts: [] } })).listen(0)
    process.on('uncaughtException', () => process.exit(1))`
  const { COMPILED_SERVER } = process.env
  const server = await Launched.listening({
    program: ['-e', program],
    folder: __dirname,
    args: [],
    env: { COMPILED_SERVER },
  })
  server.stopReading()
  for (let round = 0; round < 5; round += 1) {
    const statuses = Array.from(
      { length: 20 },
      async () => (await ask(server.url, { path: '/posts' })).status,
    )
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]))
  }
  await server.stop()
})
