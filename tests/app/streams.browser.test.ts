import type { BrowserContext, Page } from 'playwright-core'
import { listen } from '../../lib/http/server/listen'
import { type AppOptions, createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { ADA, sampleData } from '../support/data'
import { askJson, logIn, serve, type TestServer } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

let mock: TestServer
let site: TestServer
let context: BrowserContext
let port: number

async function start(options: Partial<AppOptions>): Promise<void> {
  mock = await serve(createApp({ data: { ...sampleData(), tasks: [{ id: 1 }] }, log: false, ...options }))
  port = Number(new URL(mock.url).port)
}

beforeEach(async () => {
  site = await serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>A page</title>')
  })
  context = await browser().newContext()
})
afterEach(async () => {
  await context?.close()
  await mock.close()
  await site.close()
})

/** Opens a page of another port that keeps what it hears, such as `created 2`. */
async function openListener(withCredentials = false, body?: object): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.url)
  await page.evaluate(
    async ([url, withCredentials, body]) => {
      if (body !== undefined)
        await fetch(`${url}/login`, {
          method: 'POST',
          credentials: 'include',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      const heard: string[] = []
      Object.assign(globalThis, { heard })
      const source = new EventSource(`${url}/tasks`, { withCredentials })
      for (const name of ['loaded', 'created', 'updated', 'deleted'])
        source.addEventListener(name, (event) => heard.push(`${name} ${Reflect.get(event, 'data')}`))
      source.addEventListener('error', () => heard.push(`error ${source.readyState}`))
    },
    [mock.url, withCredentials, body] as const,
  )
  return page
}

function heard(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(globalThis, 'heard'))
}

/** Waits until a page has heard so much. */
async function hears(page: Page, count: number): Promise<string[]> {
  await page.waitForFunction((count) => Reflect.get(globalThis, 'heard').length >= count, count)
  return heard(page)
}

testInBrowser('with --allow, a page hears without a token, and again after a restart', async () => {
  await start({ allow: ['GET /tasks', 'POST /tasks'] })
  const page = await openListener()
  await hears(page, 1)
  await askJson(mock.url, { method: 'POST', path: '/tasks', body: {} })
  expect(await hears(page, 2)).toEqual(['loaded [{"id":1}]', 'created {"id":2}'])
  await mock.close(60_000)
  expect(await hears(page, 3)).toContain('error 0')
  const app = createApp({ data: { tasks: [{ id: 7 }] }, log: false, allow: ['GET /tasks'] })
  const again = await listen(app, { port, host: '127.0.0.1' })
  await page.waitForFunction(() => Reflect.get(globalThis, 'heard').includes('loaded [{"id":7}]'))
  await again.close(0)
})

testInBrowser('by a cookie', async () => {
  await start({ login: '/login', tokenIn: 'cookie:session' })
  const page = await openListener(true, ADA)
  await hears(page, 1)
  const token = await logIn(mock.url)
  const headers = { Authorization: `Bearer ${token}` }
  await askJson(mock.url, { method: 'DELETE', path: '/tasks/1', headers, body: {} })
  expect(await hears(page, 2)).toEqual(['loaded [{"id":1}]', 'deleted {"id":1}'])
})

testInBrowser('without one, it hears nothing, and asks no more', async () => {
  await start({ login: '/login', tokenIn: 'cookie:session' })
  expect(await hears(await openListener(true), 1)).toEqual(['error 2'])
})

testInBrowser('a page under test hears its own sandbox', async () => {
  await start({ sandboxes: true, allow: ['GET /tasks', 'POST /tasks'] })
  // As `mock` does it.
  await context.route(
    () => true,
    (route) => route.fallback({ headers: { ...route.request().headers(), 'x-sandbox': 'mine' } }),
  )
  const page = await openListener()
  await hears(page, 1)
  const add = (headers: Record<string, string>) =>
    askJson(mock.url, { method: 'POST', path: '/tasks', headers, body: { for: headers['X-Sandbox'] } })
  await add({})
  await add({ 'X-Sandbox': 'other' })
  await add({ 'X-Sandbox': 'mine' })
  expect(await hears(page, 2)).toEqual(['loaded [{"id":1}]', 'created {"for":"mine","id":2}'])
})
