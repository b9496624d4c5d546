import path from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { findBrowser } from '../../support/browser'
import { serve, type TestServer } from '../../support/helpers'

/** The README's picture, made anew by `UPDATE_SCREENSHOT=1 npx jest tests/lib/openapi/page`. */
const SCREENSHOT = path.join(__dirname, '../../../docs/screenshot.png')
const MIA = { email: 'mia@example.com', password: 'sourdough' }

const executablePath = findBrowser()
const testInBrowser = executablePath === undefined ? test.skip : test
if (executablePath === undefined) {
  process.stderr.write('No browser was found, so its tests are skipped: BROWSER_PATH can name a Chromium.\n')
}

/** A browser that asks nobody for anything by itself. */
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let server: TestServer
let browser: Browser | undefined
beforeAll(async () => {
  if (executablePath === undefined) return
  server = await serve(createApp({ data: new MemoryData(newData()), docs: true, log: false }))
  browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS, timeout: 0 })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

function newData() {
  return {
    blogs: [{ id: 1, title: 'A bakery at five', body: 'The ovens are on.', post: '2026/01/09', userid: 1 }],
    users: [{ id: 1, name: 'Mia Keller', ...MIA }],
  }
}

/** Opens the page as a new visitor, and notes what the console says and every address that is asked for. */
async function open(width: number): Promise<{
  page: Page
  console: string[]
  requests: string[]
  close(): Promise<void>
}> {
  if (browser === undefined) throw new Error('The browser has not been started.')
  const visitor = await browser.newContext({ viewport: { width, height: 900 } })
  // However slow the machine is: what never comes, the time limit of the test ends.
  visitor.setDefaultTimeout(0)
  const page = await visitor.newPage()
  const messages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => messages.push(error.message))
  visitor.on('request', (request) => requests.push(request.url()))
  await page.goto(`${server.url}/`)
  await page.locator('.opblock').first().waitFor()
  return { page, console: messages, requests, close: () => visitor.close() }
}

/** Opens an operation, tries it out and gives the status and the body of the answer. */
async function tryOut(
  page: Page,
  operation: string,
  body?: object,
): Promise<{ block: Locator; status: string; text: string }> {
  const block = page.locator(`#operations-${operation}`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  if (body !== undefined) await block.locator('textarea').first().fill(JSON.stringify(body))
  const status = await execute(block)
  return {
    block,
    status,
    text: (await block.locator('.live-responses-table .response-col_description').last().textContent()) ?? '',
  }
}

/** The line that says whether somebody is logged in. */
function session(page: Page, hasText: RegExp): Locator {
  return page.locator('#session', { hasText })
}

async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click()
  const status = block.locator('.live-responses-table .response .response-col_status').first()
  return ((await status.textContent()) ?? '').trim()
}

testInBrowser.each([{ width: 1280 }, { width: 390 }])(
  'the page at $width pixels: log in, list users, write a blog',
  async ({ width }) => {
    const { page, console, requests, close } = await open(width)
    try {
      expect(page.url()).toBe(`${server.url}/docs`)
      if (width === 1280 && process.env.UPDATE_SCREENSHOT) await page.screenshot({ path: SCREENSHOT })
      await session(page, /^Not logged in/).waitFor()

      const login = await tryOut(page, 'Login-logIn', MIA)
      expect(login.status).toBe('200')
      await session(page, /^Logged in/).waitFor()

      const users = await tryOut(page, 'users-listUsers')
      expect(users.status).toBe('200')
      expect(users.text).toContain('Mia Keller')
      await users.block.locator('tr[data-param-name="name"]').waitFor()
      await users.block.locator('tr[data-param-name="name_like"]').waitFor({ state: 'hidden' })
      await users.block.getByRole('button', { name: /^Show \d+ filter operators/ }).click()
      await users.block.locator('tr[data-param-name="name_like"]').waitFor()

      const blog = await tryOut(page, 'blogs-createBlog', { title: `At ${width} pixels` })
      expect(blog.status).toBe('201')
      expect(blog.text).toContain(`At ${width} pixels`)

      const [scrolled, visible] = await page
        .evaluate('[document.documentElement.scrollWidth, window.innerWidth]')
        .then(pair)
      expect(scrolled).toBeLessThanOrEqual(Number(visible))
      expect(
        requests.filter((address) => !address.startsWith(`${server.url}/`) && !address.startsWith('data:')),
      ).toEqual([])
      expect(console).toEqual([])
    } finally {
      await close()
    }
  },
)

function pair(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

testInBrowser('a token can be pasted into Authorize, and Logout forgets it', async () => {
  const { page, close } = await open(1280)
  try {
    const answer = await fetch(`${server.url}/auth/login`, { method: 'POST', body: new URLSearchParams(MIA) })
    const token = /"access_token": "(.*)"/.exec(await answer.text())?.[1] ?? ''
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const dialog = page.locator('.modal-ux')
    await dialog.locator('input').fill(token)
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const users = await tryOut(page, 'users-listUsers')
    expect(users.status).toBe('200')

    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await dialog.getByRole('button', { name: 'Remove authorization' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await session(page, /^Not logged in/).waitFor()
    await users.block.getByRole('button', { name: 'Clear' }).click()
    expect(await execute(users.block)).toBe('401')
  } finally {
    await close()
  }
})
