import type { RequestListener } from 'node:http'
import type { Locator, Page } from 'playwright-core'
import { MemoryData } from '../../../../../lib/data/data-source'
import { type AppOptions, createApp } from '../../../../../server'
import { testsInBrowser } from '../../../../support/browser'
import { serve, type TestServer } from '../../../../support/http'

export const MIA = { email: 'mia@example.com', password: 'sourdough' }

/**
 * The address of a page without anything. It names an icon: for a page that names none, a browser asks for
 * `/favicon.ico`, and the console says at any later time that this needs a token.
 */
const EMPTY_PAGE = '/empty.html'

interface Opened {
  page: Page
  /** What the console says, refused by the content security policy or otherwise. */
  console: string[]
  /** Every address that is asked for. */
  requests: string[]
}

/**
 * The page of `--docs`. Each test has an application of its own; the address and the browser's page stay, as
 * empty as a new one, because a new one would compile all of Swagger UI again.
 *
 * @param options of the application
 */
export function docsPage(options: Partial<AppOptions> = {}) {
  const { testInBrowser, browser } = testsInBrowser()
  let server: TestServer
  let app: RequestListener
  const pages = new Map<'the clock' | 'a clock of its own', Page>()
  let data: MemoryData
  let ahead: number
  let iconsAsked = 0

  beforeAll(async () => {
    server = await serve((request, response) => {
      if (request.url === '/favicon.ico') iconsAsked += 1
      if (request.url !== EMPTY_PAGE) return app(request, response)
      response.setHeader('Content-Type', 'text/html')
      response.end('<!doctype html><link rel="icon" href="data:,">')
    })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    ahead = 0
    data = new MemoryData({
      blogs: [{ id: 1, title: 'A bakery at five', body: 'The ovens are on.', post: '2026/01/09', userid: 1 }],
      users: [{ id: 1, name: 'Mia Keller', ...MIA }],
    })
    app = createApp({ data, docs: true, log: false, clock: () => Date.now() + ahead, ...options })
  })

  return {
    testInBrowser,
    data: () => data,
    url: () => server.url,
    /** How often a browser has asked for an icon that no page names. */
    iconsAsked: () => iconsAsked,

    /** @param milliseconds by which the server's clock, and none other, is then ahead */
    setAhead(milliseconds: number): void {
      ahead = milliseconds
    },

    /** Adds collections: list0, list1 and so on. */
    addCollections(count: number): void {
      const many = Array.from({ length: count }, (_, number) => [`list${number}`, [{ id: 1 }]])
      data.replace({ ...data.state, ...Object.fromEntries(many) })
    },

    /**
     * @param first what is waited for
     * @param ownClock whether the test sets the page's clock
     */
    async open(
      width: number,
      { address = '/', dark = false, first = '.opblock', ownClock = false } = {},
    ): Promise<Opened> {
      const time = ownClock ? 'a clock of its own' : 'the clock'
      const page = pages.get(time) ?? (await browser().newPage())
      pages.set(time, page)
      await page.context().setOffline(false)
      // Each page remembers the login and the sandbox for its own address.
      await page.goto(server.url + EMPTY_PAGE)
      await page.evaluate('sessionStorage.clear()')
      for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event)
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      // However slow the machine is: what never comes, the time limit of the test ends.
      page.setDefaultTimeout(0)
      const messages: string[] = []
      const requests: string[] = []
      page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', (error) => messages.push(error.message))
      page.on('request', (request) => requests.push(request.url()))
      if (ownClock) await page.clock.install()
      await page.goto(server.url + address)
      await page.locator(first).first().waitFor()
      return { page, console: messages, requests }
    },
  }
}

/** Waits until the bar at the top says this. */
export async function says(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('#status').filter({ hasText: text }).waitFor()
}

export const emailField = (page: Page) => page.getByRole('textbox', { name: 'Email', exact: true })
export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })
export const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true })
export const operation = (page: Page, name: string) => page.locator(`#operations-${name}`)

export async function openOperation(page: Page, name: string): Promise<Locator> {
  const block = operation(page, name)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Execute' }).waitFor()
  return block
}

/** Executes an open operation and gives the status and the body of the response. */
export async function execute(block: Locator): Promise<{ status: string; body: string }> {
  const live = block.locator('.live-responses-table .response')
  if (await live.isVisible()) {
    // It stays until the next one has come, and would be read in its place.
    await block.getByRole('button', { name: 'Clear' }).click()
    await live.waitFor({ state: 'detached' })
  }
  await block.getByRole('button', { name: 'Execute' }).click()
  const status = await live.locator('.response-col_status').innerText()
  return {
    status: status.trim(),
    body: await live.locator('.response-col_description').innerText(),
  }
}

/** Logs in with what the bar has in its fields, and waits until it says so. */
export async function logInAtTop(page: Page): Promise<void> {
  await logInButton(page).click()
  await says(page, /^Logged in as/)
}
