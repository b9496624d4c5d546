import { type APIRequestContext, request as playwright } from 'playwright-core'
import { mockFixtures, type PlaywrightFixtures } from '../../../lib/testing/playwright'
import type { Sandbox } from '../../../lib/testing/sandbox'
import { createApp } from '../../../server'
import { ADA, sampleData } from '../../support/data'
import { logIn, serve, type TestServer } from '../../support/http'

const TEST = { testId: 'a title, with spaces', workerIndex: 3, retry: 0 }

/** A server that sends back the sandbox that a request names. */
const echo = () =>
  serve((request, response) => response.end(`${request.method} ${request.headers['x-sandbox'] ?? 'none'}`))

let mock: TestServer
let site: TestServer
let other: TestServer
let fixtures: PlaywrightFixtures
beforeAll(async () => {
  mock = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  site = await echo()
  other = await echo()
  fixtures = mockFixtures({ url: mock.url, user: ADA })
})
afterAll(() => Promise.all([mock, site, other].map((server) => server.close())))

/** Runs what a test does with its sandbox. */
function withSandbox(use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const [fixture] = fixtures.mock
  return fixture({ baseURL: undefined }, use, TEST)
}

test('a token takes the place of a user', async () => {
  const token = await logIn(mock.url)
  const [fixture] = mockFixtures({ url: mock.url, token }).mock
  await fixture(
    { baseURL: undefined },
    async (sandbox) => {
      expect(sandbox.token).toBe(token)
      expect((await fetch(`${mock.url}/users`, { headers: sandbox.headers })).status).toBe(200)
    },
    TEST,
  )
})

test('a test has a sandbox of its own, which is forgotten at the end', async () => {
  await withSandbox(async (sandbox) => {
    expect(sandbox.name).toMatch(/^a-title--with-spaces-3-0-/)
    await sandbox.reset({ blogs: [] })
    expect(await (await fetch(`${mock.url}/blogs`, { headers: sandbox.headers })).json()).toEqual({
      blogs: [],
    })
  })
  await withSandbox(async ({ name }) => {
    const blogs = await fetch(`${mock.url}/blogs`, { headers: { 'X-Sandbox': name } })
    expect(await blogs.text()).toContain('One')
  })
})

describe('request', () => {
  /** Runs what a test does with Playwright's own `request`. */
  async function withRequest(use: (request: APIRequestContext, sandbox: Sandbox) => Promise<void>) {
    const request = await playwright.newContext({ baseURL: site.url })
    await withSandbox((sandbox) =>
      fixtures.request({ request, mock: sandbox, baseURL: site.url }, (own) => use(own, sandbox)),
    )
    await request.dispose()
  }

  test.each(['delete', 'fetch', 'get', 'patch', 'post', 'put'] as const)(
    '%s names the sandbox to the mock and to the application, and to no other server',
    async (method) => {
      await withRequest(async (request, { name }) => {
        expect((await request[method](`${mock.url}/blogs`)).headers()['x-sandbox']).toBe(name)
        const verb = method === 'fetch' ? 'GET' : method.toUpperCase()
        expect(await (await request[method]('/some/page')).text()).toBe(`${verb} ${name}`)
        expect(await (await request[method](`${other.url}/`)).text()).toBe(`${verb} none`)
      })
    },
  )

  test('headers of the test stay, and can name another sandbox', async () => {
    await withRequest(async (request, { headers, name }) => {
      const options = { headers: { Authorization: headers.Authorization } }
      const users = await request.get(`${mock.url}/users`, options)
      expect([users.status(), users.headers()['x-sandbox']]).toEqual([200, name])
      const mine = await request.get('/', { headers: { 'X-Sandbox': 'mine' } })
      expect(await mine.text()).toBe('GET mine')
      expect((await request.storageState()).cookies).toEqual([])
    })
  })
})

test('context names the sandbox to the mock and to the application, and to no other server', async () => {
  await withSandbox(async (sandbox) => {
    let isRouted = (_url: URL) => false
    const sent: unknown[] = []
    const context = {
      async route(
        matches: (url: URL) => boolean,
        handler: (route: {
          request(): { headers(): Record<string, string> }
          fallback(options: { headers: Record<string, string> }): Promise<void>
        }) => Promise<void>,
      ) {
        isRouted = matches
        await handler({
          request: () => ({ headers: () => ({ accept: '*/*' }) }),
          fallback: async ({ headers }) => void sent.push(headers),
        })
      },
    }
    await fixtures.context({ context, mock: sandbox, baseURL: site.url }, async (own) => {
      expect(own).toBe(context)
    })
    expect(sent).toEqual([{ accept: '*/*', 'x-sandbox': sandbox.name }])
    const urls = [mock.url, site.url, other.url].map((url) => new URL('/page', url))
    expect(urls.map(isRouted)).toEqual([true, true, false])
    await fixtures.context({ context, mock: sandbox, baseURL: undefined }, async () => {})
    expect(urls.map(isRouted)).toEqual([true, false, false])
  })
})
