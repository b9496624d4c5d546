import { ask } from '../support/http'
import { killAll, Launched } from '../support/process'

afterEach(killAll)

/** Starts a program that embeds the server. */
function embed(code: string, env = {}): Promise<Launched> {
  const { COMPILED_SERVER } = process.env
  const program = ['-e', `const { createApp } = require(process.env.COMPILED_SERVER); ${code}`]
  return Launched.listening({ program, folder: __dirname, args: [], env: { COMPILED_SERVER, ...env } })
}

test('a program that embeds the server survives when nobody reads its output any more', async () => {
  const server = await embed(`
    require('node:http').createServer(createApp({ data: { posts: [] } })).listen(0)
    process.on('uncaughtException', () => process.exit(1))`)
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

test.each([
  { how: 'ends itself', code: 'process.exit(3)' },
  { how: 'fails', code: 'throw new Error("failed")' },
])('a program that $how in the turn of a request has printed its line', async ({ code }) => {
  const server = await embed(`
    const app = createApp({ data: { posts: [] } })
    require('node:http').createServer((request, response) => {
      app(request, response)
      response.once('close', () => { ${code} })
    }).listen(0)`)
  await ask(server.url, { path: '/posts' })
  expect(await server.exited).not.toBe(0)
  expect(server.stdout).toMatch(/^GET \/posts 401 /m)
})

describe('colours', () => {
  /** What is printed for a request of each of these statuses. */
  async function printed({ isTerminal, env }: { isTerminal: boolean; env?: object }): Promise<string> {
    const server = await embed(
      `if (${isTerminal}) Object.assign(process.stdout, {
        isTTY: true,
        getColorDepth: require('node:tty').WriteStream.prototype.getColorDepth,
      })
      const respond = (request, response) => response.status(Number(request.path.slice(1))).end()
      createApp({ data: { posts: [] }, allow: 'all', middlewares: [respond] }).listen(0, '127.0.0.1')`,
      { TERM: 'xterm-256color', ...env },
    )
    for (const status of [204, 304, 404, 500]) await ask(server.url, { path: `/${status}` })
    await server.prints(/GET \/500 .*\n/)
    await server.stop()
    return server.stdout.replaceAll('\u001b', 'ESC')
  }

  test('on a terminal each class of status has one', async () => {
    const lines = await printed({ isTerminal: true })
    for (const status of ['ESC[32m204', 'ESC[36m304', 'ESC[33m404', 'ESC[31m500'])
      expect(lines).toContain(`/${status.slice(-3)} ${status}ESC[39m `)
  })

  test.each([
    { why: 'in a file or a pipe', isTerminal: false },
    { why: 'with NO_COLOR', isTerminal: true, env: { NO_COLOR: '1' } },
  ])('$why there are none', async (options) => {
    const lines = await printed(options)
    expect(lines).toContain('GET /404 404 ')
    expect(lines).not.toContain('ESC')
  })
})
