import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import { MemoryData } from '../../lib/data/data-source'
import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

/** What the server has answered to a browser, such as `GET /users/1 200`. */
let answers: string[]
const served = new EventEmitter()
let data: MemoryData
let mock: TestServer
let site: TestServer
let html: string
let page: Page

beforeEach(async () => {
  data = new MemoryData(sampleData())
  answers = []
  const app = createApp({ data, allow: 'all', log: false })
  mock = await serve((request, response) => {
    const { method, url } = request
    // A browser asks for the icon of a page by itself: also of one that says 403.
    if (url !== '/favicon.ico')
      response.on('finish', () => {
        answers.push(`${method} ${url} ${response.statusCode}`)
        served.emit('answer')
      })
    app(request, response)
  })
  site = await serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>A page</title><body>${html}`)
  })
})
afterEach(async () => {
  await page?.close()
  await mock.close()
  await site.close()
})

/** Waits until the server has answered so many requests. */
async function answered(count: number): Promise<void> {
  while (answers.length < count) await once(served, 'answer')
}

/** Opens the site under another name of this machine. */
async function open(name: string, content: string): Promise<void> {
  html = content
  page = await browser().newPage()
  await page.goto(site.url.replace('127.0.0.1', name)).catch(() => {})
}

/** Ways for a page to ask for an address, which is `U` here. */
const ELEMENTS = {
  image: '<img src="U">',
  script: '<script src="U?callback=show"></script>',
  stylesheet: '<link rel="stylesheet" href="U">',
  prefetch: '<link rel="prefetch" href="U">',
  preload: '<link rel="preload" as="image" href="U">',
  'module preload': '<link rel="modulepreload" href="U">',
  frame: '<iframe src="U"></iframe>',
  object: '<object data="U"></object>',
  embed: '<embed src="U">',
  video: '<video src="U"></video>',
  audio: '<audio src="U" preload="auto"></audio>',
  track: '<video crossorigin src="U"><track src="U" default></video>',
  background: '<div style="width: 9px; height: 9px; background: url(U)">x</div>',
  'imported style': '<style>@import url(U);</style>',
  font: '<style>@font-face { font-family: f; src: url(U) }</style><p style="font-family: f">x</p>',
  fetch: '<script>fetch("U").catch(() => {})</script>',
  'fetch without CORS': '<script>fetch("U", { mode: "no-cors" }).catch(() => {})</script>',
  'fetch without a Referer':
    '<script>fetch("U", { mode: "no-cors", referrerPolicy: "no-referrer" }).catch(() => {})</script>',
  'POST without CORS':
    '<script>fetch("U", { mode: "no-cors", method: "POST", body: "{}" }).catch(() => {})</script>',
  DELETE: '<script>fetch("U", { method: "DELETE" }).catch(() => {})</script>',
  beacon: '<script>navigator.sendBeacon("U", "{}")</script>',
  'event source': '<script>new EventSource("U")</script>',
  import: '<script>import("U").catch(() => {})</script>',
  'form that reads': '<form action="U"></form><script>document.forms[0].submit()</script>',
  'form that changes':
    '<form action="U" method="post"><input name="a"></form><script>document.forms[0].submit()</script>',
  navigation: '<script>location.href = "U"</script>',
  refresh: '<meta http-equiv="refresh" content="0; url=U">',
}

describe.each(Object.entries(ELEMENTS))('%s', (_kind, element) => {
  // Whether there is such a record is not to be learned either.
  testInBrowser.each(['/users/1', '/users/99'])(
    'on another site: 403 for %s, and no change',
    async (path) => {
      const before = JSON.stringify(data.state)
      await open('evil.example', element.replaceAll('U', mock.url + path))
      await answered(1)
      for (const answer of answers) expect(answer).toMatch(/ 403$/)
      expect(JSON.stringify(data.state)).toBe(before)
    },
  )
})

testInBrowser.each([
  { path: '/', status: 200 },
  { path: '/users/1', status: 403 },
  { path: '/users?password_like=^s', status: 403 },
])('a link to $path on another site that a person clicks -> $status', async ({ path, status }) => {
  await open('evil.example', `<a href="${mock.url}${path}">A link</a>`)
  await page.click('a')
  await page.waitForURL(`${mock.url}${path}`)
  expect(answers).toContain(`GET ${path} ${status}`)
})

testInBrowser('with --docs, a link to / on another site that a person clicks leads to the page', async () => {
  const documented = await serve(createApp({ data, allow: 'all', docs: true, log: false }))
  await open('evil.example', `<a href="${documented.url}/">A link</a>`)
  await page.click('a')
  await page.waitForURL(`${documented.url}/docs/data`)
  await page.waitForSelector('#table')
  await documented.close()
})

testInBrowser.each(['localhost', '127.0.0.1', 'app.localhost'])(
  'a page at %s uses the server under either name',
  async (name) => {
    for (const url of [mock.url, mock.url.replace('127.0.0.1', 'localhost')]) {
      answers = []
      await open(name, `<object data="${url}/users/1"></object><img src="${url}/users/1">`)
      const status = `fetch('${url}/users/1').then((response) => response.status)`
      expect(await page.evaluate(status)).toBe(200)
      await answered(3)
      expect(new Set(answers)).toEqual(new Set(['GET /users/1 200']))
      await page.close()
    }
  },
)

testInBrowser(
  'a page at a host that allowedHosts names uses the server, and one of another host does not',
  async () => {
    const named = await serve(createApp({ data, allow: 'all', allowedHosts: ['.evil.example'], log: false }))
    const read = `fetch('${named.url}/users/1').then((response) => response.status, () => 'refused')`
    await open('app.evil.example', '')
    expect(await page.evaluate(read)).toBe(200)
    await page.close()
    await open('another.example', '')
    expect(await page.evaluate(read)).toBe('refused')
    await named.close()
  },
)
