import type { BrowserContext, Page } from 'playwright-core'
import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { ADA, sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

const NAMES = ['shop', 'desk'] as const
type Name = (typeof NAMES)[number]

let mocks: Record<Name, TestServer>
let site: TestServer
let context: BrowserContext

async function mockWithCookie(name: Name): Promise<TestServer> {
  const app = createApp({
    data: { ...sampleData(), users: [{ id: 1, ...ADA }] },
    log: false,
    login: '/login',
    refresh: '/refresh',
    logout: '/logout',
    me: '/me',
    tokenIn: `cookie:${name}`,
    refreshIn: `cookie:${name}-refresh`,
  })
  return serve(app)
}

beforeEach(async () => {
  const [shop, desk] = await Promise.all(NAMES.map(mockWithCookie))
  if (shop === undefined || desk === undefined) throw new Error('A mock has not started.')
  mocks = { shop, desk }
  site = await serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>A page</title>')
  })
  context = await browser().newContext()
})
afterEach(async () => {
  await context?.close()
  await Promise.all([mocks.shop, mocks.desk, site].map((server) => server.close()))
})

const atLocalhost = ({ url }: TestServer) => url.replace('127.0.0.1', 'localhost')

/** The status of a request that a page sends with its cookies. */
function say(page: Page, name: Name, line: string, body?: object): Promise<number> {
  const [method = '', path = ''] = line.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  return page.evaluate(
    ([url, options]) => fetch(url, { ...options, credentials: 'include' }).then(({ status }) => status),
    [
      atLocalhost(mocks[name]) + path,
      { method, headers, ...(body && { body: JSON.stringify(body) }) },
    ] as const,
  )
}

async function cookies(): Promise<Record<string, string>> {
  const found = await context.cookies()
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

testInBrowser('two mocks on localhost leave the cookies of each other alone', async () => {
  const page = await context.newPage()
  await page.goto(atLocalhost(site))
  for (const name of NAMES) expect(await say(page, name, 'POST /login', ADA)).toBe(200)
  for (const name of NAMES) expect(await say(page, name, 'GET /me')).toBe(200)
  const first = await cookies()
  expect(Object.keys(first).sort()).toEqual(['desk', 'desk-refresh', 'shop', 'shop-refresh'])

  // One goes on, and the other one notices nothing.
  expect(await say(page, 'shop', 'POST /refresh', {})).toBe(200)
  const second = await cookies()
  expect(second).toMatchObject({ desk: first.desk, 'desk-refresh': first['desk-refresh'] })
  expect(second['shop-refresh']).not.toBe(first['shop-refresh'])
  for (const name of NAMES) expect(await say(page, name, 'GET /users/1')).toBe(200)

  // One is logged out, and refuses requests.
  expect(await say(page, 'shop', 'POST /logout', {})).toBe(200)
  expect(await say(page, 'shop', 'GET /users/1')).toBe(401)
  expect(await cookies()).toEqual({ desk: first.desk, 'desk-refresh': first['desk-refresh'] })
  expect(await say(page, 'desk', 'GET /users/1')).toBe(200)
  expect(await say(page, 'desk', 'POST /refresh', {})).toBe(200)

  // A token of one in the cookie of the other is refused, and the own one stays.
  const desk = (await cookies()).desk ?? ''
  await context.addCookies([{ name: 'shop', value: desk, domain: 'localhost', path: '/' }])
  expect(await say(page, 'shop', 'GET /users/1')).toBe(401)
  expect(await say(page, 'desk', 'GET /users/1')).toBe(200)
  expect(await cookies()).toMatchObject({ desk })
})
