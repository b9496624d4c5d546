import { createServer, request } from 'node:http'
import type { Locator, Page } from 'playwright-core'
import { MemoryData } from '../../../../lib/data/data-source'
import { type AppOptions, createApp } from '../../../../server'
import { testsInBrowser } from '../../../support/browser'
import { serve } from '../../../support/http'

const { testInBrowser, browser } = testsInBrowser()

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Opened {
  page: Page
  url: string
  data: MemoryData
  /** What the console says, refused by the content security policy or otherwise. */
  console: string[]
  /** Every address that is asked for. */
  requests: string[]
  /** How often was clicked. */
  clicks: () => number
}

/** Opens the address of a server with the page, as a person does. */
async function open(
  options: Partial<AppOptions> = {},
  { width = 1280, dark = false, path = '/docs' } = {},
): Promise<Opened> {
  const data = new MemoryData({
    blogs: [{ id: 1, title: 'A bakery at five', body: 'The ovens are on.', post: '2026/01/09', userid: 1 }],
    users: [
      { id: 1, name: 'Mia Keller', email: 'mia@example.com', password: 'sourdough' },
      { id: 2, name: 'Noah Winter', email: 'noah@example.com', password: 'rye' },
    ],
  })
  const server = await serve(createApp({ data, docs: true, log: false, ...options }))
  const page = await browser().newPage({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  closing.push(
    () => page.close(),
    () => server.close(),
  )
  // However slow the machine is: what never comes, the time limit of the test ends.
  page.setDefaultTimeout(0)
  const messages: string[] = []
  const requests: string[] = []
  let count = 0
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.exposeFunction('countClick', () => {
    count += 1
  })
  await page.addInitScript("addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), true)")
  await page.goto(server.url + path)
  await page.locator('.opblock-tag').first().waitFor()
  return { page, url: server.url, data, console: messages, requests, clicks: () => count }
}

async function openOperation(page: Page, id: string): Promise<Locator> {
  const block = page.locator(`.opblock[id$="-${id}"]`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Execute' }).waitFor()
  return block
}

/** Opens an operation, executes it with what is filled in, and gives the status and the text of the response. */
async function execute(page: Page, id: string): Promise<{ status: string; text: string }> {
  const block = await openOperation(page, id)
  await block.getByRole('button', { name: 'Execute' }).click()
  const response = block.locator('.live-responses-table .response')
  return {
    status: (await response.locator('.response-col_status').innerText()).trim(),
    text: await response.locator('.response-col_description').innerText(),
  }
}

/** Reloads the page with all operations closed. */
async function reload(page: Page): Promise<void> {
  await page.evaluate("history.replaceState(null, '', location.pathname)")
  await page.reload()
  await page.locator('.opblock-tag').first().waitFor()
}

testInBrowser.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])(
  'at $width pixels, dark: $dark, four clicks lead to a 201; a reload of the page keeps the login',
  async ({ width, dark }) => {
    const { page, url, data, console, requests, clicks } = await open({}, { width, dark })
    expect(page.url()).toBe(`${url}/docs`)
    expect(await execute(page, 'logIn')).toMatchObject({ status: '200' })
    expect(await execute(page, 'createUser')).toMatchObject({ status: '201' })
    expect(clicks()).toBe(4)
    expect(data.state.users).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, name: 'New name' }])

    const listed = await execute(page, 'listUsers')
    expect(listed).toMatchObject({ status: '200', text: expect.stringContaining('New name') })
    await reload(page)
    expect(await execute(page, 'listUsers')).toMatchObject({ status: '200' })

    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await page.locator('html.dark-mode').count()).toBe(dark ? 1 : 0)
    expect(requests.filter((address) => !/^data:|^blob:/.test(address) && !address.startsWith(url))).toEqual(
      [],
    )
    expect(requests.filter((address) => address.endsWith('favicon.ico'))).toEqual([])
    expect(console).toEqual([])
  },
)

testInBrowser(
  'a sandbox is asked for once, shown, and sent with each request, also after a reload',
  async () => {
    const { page, data, console } = await open({ sandboxes: true })
    const sent: unknown[] = []
    page.on('request', (request) => sent.push(request.headers()['x-sandbox']))
    const shown = page.getByRole('status').filter({ hasText: 'sandbox lab' })
    await page.getByRole('button', { name: 'Authorize', exact: true }).click()
    const form = page.locator('.auth-container', { hasText: 'X-Sandbox' })
    await form.getByRole('textbox').fill('lab')
    await form.getByRole('button', { name: 'Apply credentials' }).click()
    await form.getByRole('button', { name: 'Close' }).click()
    await shown.waitFor()
    expect(await execute(page, 'logIn')).toMatchObject({ status: '200' })
    expect(await execute(page, 'createBlog')).toMatchObject({ status: '201' })
    expect(data.state.blogs).toHaveLength(1)
    await reload(page)
    await shown.waitFor()
    expect((await execute(page, 'listBlogs')).text).toContain('"id": 2')
    expect(sent.filter((name) => name !== undefined)).toEqual(['lab', 'lab', 'lab'])
    expect(console).toEqual([])
  },
)

testInBrowser.each([{}, { login: '/api/login' }])(
  'who is named behind the # is filled into each login, without a password, and never sent: %j',
  async (options) => {
    const { page, requests } = await open(options, { path: '/docs#email=noah%2Bx%40example.com' })
    const ids = Object.keys(options).length > 0 ? ['logIn', 'logIn2'] : ['logIn']
    for (const id of ids) {
      const body = JSON.parse(await (await openOperation(page, id)).locator('textarea').first().inputValue())
      expect(body).toMatchObject({ email: 'noah+x@example.com', password: '' })
    }
    expect(requests.join()).not.toContain('noah')
  },
)

testInBrowser('a login of another shape logs in as well, wherever its token is', async () => {
  const { page } = await open({ login: '/api/login', loginResponse: { data: ['$user', '$token'] } })
  expect(await execute(page, 'listUsers')).toMatchObject({ status: '401' })
  expect(await execute(page, 'logIn')).toMatchObject({ status: '200' })
  expect(await execute(page, 'getUser')).toMatchObject({ status: '200' })
})

testInBrowser('below a prefix that a proxy strips, requests go through the proxy', async () => {
  const { page, url } = await open()
  const proxy = createServer((incoming, response) => {
    const { method, url: address = '', headers } = incoming
    // Whatever is not below the prefix belongs to another application.
    if (!address.startsWith('/mock/')) response.writeHead(404).end()
    else
      incoming.pipe(
        request(url + address.slice('/mock'.length), { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }),
      )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  closing.unshift(() => proxy.close())
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await page.goto(`http://127.0.0.1:${port}/mock/docs`)
  await page.locator('.opblock-tag').first().waitFor()
  for (const id of ['logIn', 'listUsers', 'listBlogs', 'lookUpUsers'])
    expect(await execute(page, id)).toMatchObject({ status: '200' })
})

testInBrowser('hundreds of collections can be filtered, opened and asked', async () => {
  const { page, data } = await open()
  const record = { id: 1, name: 'One', userId: 1 }
  const many = Array.from({ length: 300 }, (_, number) => [`list${number}`, [record]])
  data.replace({ ...data.state, ...Object.fromEntries(many) })
  await reload(page)
  expect(await page.locator('.opblock').count()).toBe(0)
  await page.locator('#operations-tag-Login').click()
  expect(await execute(page, 'logIn')).toMatchObject({ status: '200' })
  await page.getByPlaceholder('Filter').fill('list299')
  await page.locator('#operations-tag-list299').click()
  expect(await execute(page, 'createList299')).toMatchObject({ status: '201' })
})

testInBrowser('a name is text, whatever it holds', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const { page, console } = await open({ title: name, data: { [name]: [] } })
  await page.getByRole('heading', { name }).waitFor()
  expect(await page.title()).toBe(name)
  expect(await page.locator('img').count()).toBe(0)
  expect(console).toEqual([])
})

testInBrowser('with --openid, the page logs in by it, and the token opens the routes', async () => {
  const { page, console } = await open({ openid: true })
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const scheme = page.locator('.auth-container', { hasText: 'Authorization URL' })
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    scheme.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  ])
  await popup.getByLabel('Name or email').fill('mia@example.com')
  await popup.getByLabel('Password').fill('sourdough')
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('button').click()])
  await scheme.getByText('Logout').waitFor()
  await scheme.getByRole('button', { name: 'Close' }).click()
  expect((await execute(page, 'listUsers')).status).toBe('200')
  expect(console.filter((message) => message.startsWith('error'))).toEqual([])
})
