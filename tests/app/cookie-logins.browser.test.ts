import { EventEmitter, once } from 'node:events'
import type { BrowserContext, Page } from 'playwright-core'
import { MemoryData } from '../../lib/data/data-source'
import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { ADA, sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

/** Somebody else, as whom a foreign page could try to log in. */
const EVE = { id: 9, email: 'eve@example.com', password: 'eve' }

let data: MemoryData
let mock: TestServer
let site: TestServer
let context: BrowserContext
/** What the server has answered, such as `POST /login 403`. */
let answers: string[]
const served = new EventEmitter()

beforeEach(async () => {
  answers = []
  data = new MemoryData({ ...sampleData(), users: [{ id: 1, ...ADA }, EVE] })
  const app = createApp({
    data,
    log: false,
    login: '/login',
    refresh: '/refresh',
    logout: ['/logout', 'GET /leave'],
    me: '/me',
    signUp: '/sign-up',
    tokenIn: 'cookie:session',
    refreshIn: 'cookie:refresh',
    allow: ['GET /posts'],
  })
  mock = await serve((request, response) => {
    const { method, url } = request
    if (url !== '/favicon.ico')
      response.on('finish', () => {
        answers.push(`${method} ${url} ${response.statusCode}`)
        served.emit('answer')
      })
    app(request, response)
  })
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

/** Waits until the server has answered so many requests. */
async function answered(count: number): Promise<void> {
  while (answers.length < count) await once(served, 'answer')
}

/** The same server under another name of this machine. */
function named(server: TestServer, name: string): string {
  return server.url.replace('127.0.0.1', name)
}

async function open(name: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(named(site, name))
  return page
}

/** The status of a request that a page sends with its cookies; 0 where the browser does not let it read the answer. */
function fetchIn(page: Page, url: string, method = 'GET', body?: object): Promise<number> {
  return page.evaluate(
    ([target, options]) =>
      fetch(target, { ...options, credentials: 'include' }).then(
        ({ status }) => status,
        () => 0,
      ),
    [
      url,
      {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      },
    ] as const,
  )
}

/** Lets a page send a form, as a person who visits it would not notice, and waits for the answer. */
async function submitIn(page: Page, url: string, fields: Record<string, string>): Promise<void> {
  const before = answers.length
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  await page.setContent(`<form method="post" action="${url}">${inputs.join('')}</form>`)
  await page.evaluate('document.forms[0].submit()')
  await answered(before + 1)
  await page.waitForLoadState()
}

async function cookies(): Promise<Record<string, string>> {
  return Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]))
}

/** Over plain http to other names than localhost, browsers send no Sec-Fetch-Site. */
describe.each(['localhost', 'mock.example'])('a server at %s', (name) => {
  testInBrowser('a page at another port logs in, reads, refreshes and logs out by cookies', async () => {
    const url = named(mock, name)
    const page = await open(name)
    expect(await fetchIn(page, `${url}/users`)).toBe(401)
    expect(await fetchIn(page, `${url}/login`, 'POST', ADA)).toBe(200)
    expect(await page.evaluate('document.cookie')).toBe('')
    const first = await cookies()
    expect(Object.keys(first).sort()).toEqual(['refresh', 'session'])
    expect(await fetchIn(page, `${url}/users`)).toBe(200)
    expect(await fetchIn(page, `${url}/me`)).toBe(200)
    expect(await fetchIn(page, `${url}/refresh`, 'POST')).toBe(200)
    expect((await cookies()).session).not.toBe(first.session)
    expect(await fetchIn(page, `${url}/logout`, 'POST')).toBe(200)
    expect(await cookies()).toEqual({})
    expect(await fetchIn(page, `${url}/users`)).toBe(401)
  })

  const foreign = name === 'localhost' ? ['127.0.0.1', 'evil.example'] : ['evil.example', 'localhost']

  testInBrowser.each(foreign)('a page at %s does not get in, by fetch or by a form', async (other) => {
    const url = named(mock, name)
    const own = await open(name)
    await fetchIn(own, `${url}/login`, 'POST', ADA)
    const before = { cookies: await cookies(), data: JSON.stringify(data.state) }
    const page = await open(other)
    expect(await fetchIn(page, `${url}/users`)).toBe(401)
    expect(await fetchIn(page, `${url}/me`)).toBe(401)
    expect(await fetchIn(page, `${url}/users/1`, 'DELETE')).toBe(401)
    expect(await fetchIn(page, `${url}/posts`)).toBe(200)
    for (const path of ['login', 'refresh', 'logout', 'sign-up'])
      expect(await fetchIn(page, `${url}/${path}`, 'POST', EVE)).toBe(403)
    for (const path of ['login', 'refresh', 'logout', 'sign-up', 'users', 'posts', 'users/1?_method=DELETE'])
      await submitIn(await open(other), `${url}/${path}`, { email: EVE.email, password: EVE.password })
    expect(answers.filter((answer) => /^POST.* 2\d\d$/.test(answer))).toEqual(['POST /login 200'])
    expect(await cookies()).toEqual(before.cookies)
    expect(JSON.stringify(data.state)).toBe(before.data)
    expect(await fetchIn(own, `${url}/me`)).toBe(200)
  })

  testInBrowser.each(foreign)('a page at %s plants no session', async (other) => {
    const url = named(mock, name)
    expect(await fetchIn(await open(other), `${url}/login`, 'POST', EVE)).toBe(403)
    const { id: _, ...login } = EVE
    await submitIn(await open(other), `${url}/login`, login)
    await submitIn(await open(other), `${url}/sign-up`, { email: 'x@example.com', password: 'x' })
    expect(await cookies()).toEqual({})
    expect(await fetchIn(await open(name), `${url}/me`)).toBe(401)
  })
})

testInBrowser('a link on another site logs nobody out, and shows nothing', async () => {
  const url = named(mock, 'localhost')
  const own = await open('localhost')
  await fetchIn(own, `${url}/login`, 'POST', ADA)
  for (const [path, status] of [
    ['/leave', 403],
    ['/users', 401],
  ] as const) {
    const page = await open('127.0.0.1')
    await page.setContent(`<a href="${url}${path}">A link</a>`)
    await page.click('a')
    await page.waitForURL(`${url}${path}`)
    expect(answers).toContain(`GET ${path} ${status}`)
  }
  expect(await fetchIn(own, `${url}/me`)).toBe(200)
})

testInBrowser(
  'the cookie of another application at localhost makes no public page 401, and stays',
  async () => {
    const url = named(mock, 'localhost')
    await context.addCookies([
      { name: 'session', value: 's%3Aanother.application', domain: 'localhost', path: '/' },
    ])
    const page = await open('localhost')
    expect(await fetchIn(page, `${url}/posts`)).toBe(200)
    expect(await cookies()).toEqual({ session: 's%3Aanother.application' })
  },
)
