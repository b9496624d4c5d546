import { stripVTControlCharacters } from 'node:util'
import { hashSync } from 'bcryptjs'
import { createApp, type Data } from '../../server'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, askJson, authorized, logIn, serve, type TestServer, until } from '../support/http'
import '../support/rsa-key'
import { EVERYTHING, PROBES, SANDBOX } from './order-probes'

/** The data, and a user whose password is a hash. */
function dataWithHash(): Data {
  const { users, ...others } = sampleData()
  const hashed = { id: 3, email: 'bo@example.com', password: hashSync('pb', 4) }
  return { ...others, users: [users, hashed].flat() }
}

/** These requests have an effect only if there are sandboxes. */
async function prepareSandboxes(url: string, headers: Record<string, string>): Promise<void> {
  const faults = { method: 'PUT', path: '/__sandbox/faults' }
  const inProbe = { ...headers, ...SANDBOX }
  await askJson(url, {
    method: 'POST',
    path: '/__sandbox/reset',
    headers: inProbe,
    body: { posts: [], blogs: [] },
  })
  const inBroken = { ...headers, 'X-Sandbox': 'broken' }
  await askJson(url, { ...faults, headers: inBroken, body: [{ path: '/*', status: 503 }] })
}

const OPTIONS = [...new Set(PROBES.map(({ options }) => options))]

describe.each(OPTIONS)('in the order of the steps, with %j', (options) => {
  let server: TestServer
  let headers: Record<string, string>
  let log: jest.SpyInstance
  const lines: string[] = []

  beforeAll(async () => {
    const folder = await newFolder({ 'docs/index.html': 'the file index', 'page.html': 'the file page' })
    log = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(stripVTControlCharacters(String(line)))
      return true
    })
    server = await serve(createApp({ data: dataWithHash(), static: folder, ...EVERYTHING, ...options }))
    headers = authorized(await logIn(server.url))
    await prepareSandboxes(server.url, headers)
  })
  afterAll(async () => {
    log.mockRestore()
    await server.close()
    await removeFolders()
  })

  test.each(PROBES.filter((probe) => probe.options === options))('$title', async (probe) => {
    lines.length = 0
    const { question, withToken, status, text = /^/, headers: expected = {}, logged } = probe
    const answer = await ask(server.url, {
      ...question,
      headers: { ...(withToken && headers), ...question.headers },
    })
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(text)
    for (const [name, pattern] of Object.entries(expected))
      if (pattern === undefined) expect(answer.headers[name]).toBeUndefined()
      else expect(answer.headers[name]).toMatch(pattern)
    if (logged === undefined) return
    await until(() => lines.length > 0)
    expect(lines.join('')).toMatch(logged)
  })
})
