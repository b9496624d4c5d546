import { EventEmitter, once } from 'node:events'
import type { BrowserContext, Page } from 'playwright-core'
import { createApp } from '../../../../server'
import { testsInBrowser } from '../../../support/browser'
import { serve, type TestServer } from '../../../support/http'
import { MIA, NOAH, PATH } from './client'

const { testInBrowser, browser } = testsInBrowser()

let mock: TestServer
let site: TestServer
let context: BrowserContext
/** What the provider has answered: a method, an endpoint, a status, and what it has sent back, if anything. */
let answers: string[]
const served = new EventEmitter()

beforeEach(async () => {
  answers = []
  const app = createApp({ data: { users: [MIA, NOAH] }, openid: true, log: false })
  mock = await serve((request, response) => {
    const { method, url = '' } = request
    response.on('finish', () => {
      if (!url.startsWith(PATH)) return
      const [, sent = ''] = /[?&](code|error)=/.exec(String(response.getHeader('location'))) ?? []
      const [endpoint] = url.slice(PATH.length + 1).split('?')
      answers.push(`${method} ${endpoint} ${response.statusCode} ${sent}`.trim())
      served.emit('answer')
    })
    app(request, response)
  })
  site = await serve((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    // It lets any page read where a redirect has led.
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end('<!doctype html><title>A page</title>')
  })
  context = await browser().newContext()
})
afterEach(async () => {
  await context?.close()
  await mock.close()
  await site.close()
})

function named(server: TestServer, name: string): string {
  return server.url.replace('127.0.0.1', name)
}

/** The address at which a client asks for a code, which goes to the page at localhost. */
function address(asked: Record<string, string> = {}, endpoint = 'auth'): string {
  const query = new URLSearchParams({
    client_id: 'spa',
    redirect_uri: `${named(site, 'localhost')}/callback`,
    response_type: 'code',
    scope: 'openid',
    ...asked,
  })
  return `${named(mock, 'localhost')}${PATH}/${endpoint}?${query}`
}

async function open(name: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(named(site, name))
  return page
}

/** Does something on a page, and waits for the provider's answer. */
async function answerTo(act: () => Promise<unknown>): Promise<string> {
  const before = answers.length
  await act()
  while (answers.length === before) await once(served, 'answer')
  return String(answers[before])
}

async function logIn(): Promise<void> {
  const page = await context.newPage()
  await page.goto(address())
  await page.getByLabel('Name or email').fill(MIA.email)
  await page.getByLabel('Password').fill(MIA.password)
  await page.getByRole('button').click()
  await page.waitForURL(/\/callback\?code=/)
}

/** Asks in a frame, as an application does that renews a session. */
function frame(page: Page, url: string): Promise<void> {
  return page.setContent(`<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`)
}

const silent = () => address({ prompt: 'none' })

testInBrowser('a page at another port of localhost renews in a frame, until somebody logs out', async () => {
  await logIn()
  const page = await open('localhost')
  expect(await answerTo(() => frame(page, silent()))).toBe('GET auth 303 code')
  await page.goto(address({}, 'logout'))
  expect(await answerTo(async () => frame(await open('localhost'), silent()))).toBe('GET auth 303 error')
})

testInBrowser.each(['evil.example', '127.0.0.1'])(
  'a page at %s gets no code in the background',
  async (other) => {
    await logIn()
    const page = await open(other)
    expect(await answerTo(() => frame(page, silent()))).toBe('GET auth 303 error')
    const fetched = `fetch('${silent()}', { credentials: 'include' }).then(({ url }) => url, () => 'nothing')`
    let read: unknown
    const answer = await answerTo(async () => {
      read = await page.evaluate(fetched)
    })
    expect([answer, read]).toEqual(['GET auth 303 error', 'nothing'])
  },
)

testInBrowser('a page of the same site cannot read a code by fetch', async () => {
  await logIn()
  const page = await open('localhost')
  const read = await page.evaluate(
    `fetch('${silent()}', { credentials: 'include' }).then(({ url }) => url, () => 'nothing')`,
  )
  expect(read).toBe('nothing')
})

testInBrowser('no page shows the form of the provider in a frame', async () => {
  for (const name of ['evil.example', 'localhost']) {
    const page = await open(name)
    const refused = page.waitForEvent('console', {
      predicate: (message) => message.text().includes('frame-ancestors'),
    })
    await frame(page, address())
    await refused
    expect(await page.frames()[1]?.locator('form').count()).toBe(0)
  }
})

testInBrowser('a form of a foreign page logs nobody in or out', async () => {
  await logIn()
  const submit = async (url: string) => {
    const page = await open('evil.example')
    const fields = { username: NOAH.email, password: NOAH.password }
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    await page.setContent(
      `<form method="post" action="${url.replaceAll('&', '&amp;')}">${inputs.join('')}</form>`,
    )
    return answerTo(() => page.evaluate('document.forms[0].submit()'))
  }
  expect(await submit(address())).toBe('POST auth 403')
  expect(await submit(address({}, 'logout'))).toBe('POST logout 403')
  expect(await answerTo(async () => frame(await open('localhost'), silent()))).toBe('GET auth 303 code')
})

testInBrowser(
  'a link of a foreign page leads to the application that has the code, and logs nobody out',
  async () => {
    await logIn()
    const follow = async (url: string) => {
      const page = await open('evil.example')
      await page.setContent(`<a href="${url.replaceAll('&', '&amp;')}">A link</a>`)
      const answer = await answerTo(() => page.click('a'))
      await page.waitForLoadState()
      return { answer, at: new URL(page.url()).host }
    }
    expect(await follow(address())).toEqual({
      answer: 'GET auth 303 code',
      at: new URL(named(site, 'localhost')).host,
    })
    expect((await follow(address({ redirect_uri: `${named(site, 'evil.example')}/` }))).answer).toBe(
      'GET auth 400',
    )
    expect((await follow(address({}, 'logout'))).answer).toBe('GET logout 403')
    expect(await answerTo(async () => frame(await open('localhost'), silent()))).toBe('GET auth 303 code')
  },
)
