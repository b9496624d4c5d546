import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { MemoryData } from '../../../lib/data/data-source'
import { type AppOptions, createApp } from '../../../server'
import { testsInBrowser } from '../../support/browser'
import { logIn, serve, type TestServer } from '../../support/helpers'
import { logInTo } from '../../support/sandbox-requests'

/** The README's picture, made again by `UPDATE_SCREENSHOT=1 npx jest tests/lib/openapi/page`. */
const SCREENSHOT = path.join(__dirname, '../../../docs/screenshot.png')
const MIA = { email: 'mia@example.com', password: 'sourdough' }
const HOUR = 3_600_000

const { testInBrowser, browser } = testsInBrowser()

let server: TestServer
let data: MemoryData
/** Milliseconds by which the server's clock is ahead. */
let ahead: number
const start = (options: Partial<AppOptions> = {}) =>
  serve(createApp({ data, docs: true, log: false, clock: () => Date.now() + ahead, ...options }))
beforeEach(async () => {
  ahead = 0
  data = new MemoryData({
    blogs: [{ id: 1, title: 'A bakery at five', body: 'The ovens are on.', post: '2026/01/09', userid: 1 }],
    users: [{ id: 1, name: 'Mia Keller', ...MIA }],
  })
  server = await start()
})
afterEach(() => server.close())

interface Opened {
  page: Page
  /** What the console says, refused by the content security policy or otherwise. */
  console: string[]
  /** Every address that is asked for. */
  requests: string[]
}

async function open(
  width: number,
  { address = '/', dark = false } = {},
  first = '.opblock',
): Promise<Opened> {
  const page = await browser().newPage({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  // However slow the machine is: what never comes, the time limit of the test ends.
  page.setDefaultTimeout(0)
  const messages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => messages.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.clock.install()
  await page.goto(server.url + address)
  await page.locator(first).first().waitFor()
  return { page, console: messages, requests }
}

/** Adds collections: list0, list1 and so on. */
function addCollections(count: number): void {
  const many = Array.from({ length: count }, (_, number) => [`list${number}`, [{ id: 1 }]])
  data.replace({ ...data.state, ...Object.fromEntries(many) })
}

/** Waits until the line at the top says this. */
async function says(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('#session [role=status]').filter({ hasText: text }).waitFor()
}

const topLogIn = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true })
const operation = (page: Page, name: string) => page.locator(`#operations-${name}`)

async function openOperation(page: Page, name: string): Promise<Locator> {
  const block = operation(page, name)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Execute' }).waitFor()
  return block
}

/** Executes an open operation and gives the status and the body of the response. */
async function execute(block: Locator): Promise<{ status: string; body: string }> {
  await block.getByRole('button', { name: 'Execute' }).click()
  const live = block.locator('.live-responses-table .response')
  const status = await live.locator('.response-col_status').innerText()
  return {
    status: status.trim(),
    body: await live.locator('.response-col_description').innerText(),
  }
}

/** Opens the login from the top, waits until it is in sight, and executes it as it is. */
async function logInFromTop(page: Page): Promise<void> {
  await topLogIn(page).click()
  await execute(operation(page, 'Login-logIn'))
}

/** Whether the page scrolls sideways, itself or in the part below the top. */
function scrollsSideways(page: Page): Promise<unknown> {
  return page.evaluate(
    "[document.documentElement, document.getElementById('swagger-ui')].some((part) => part.scrollWidth > part.clientWidth)",
  )
}

/** Which parts of the executed operations are wider than their frame. */
function tooWide(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.opblock')].flatMap((frame) =>
    [...frame.querySelectorAll('.live-responses-table, .curl-command, .request-url, .responses-inner')]
      .filter((part) => part.getBoundingClientRect().right > frame.getBoundingClientRect().right)
      .map((part) => frame.id + ' ' + part.className))`)
}

/** Whether an operation's head can be seen: nothing else is where its middle is. */
function isInSight(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const head = document.querySelector('#operations-${name} .opblock-summary-control')
    const { x, y, width, height } = head.getBoundingClientRect()
    return head.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })()`)
}

/** Whether the response of an executed operation can be seen, from its head to the beginning of its body. */
function responseIsInSight(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const table = document.querySelector('#operations-${name} .live-responses-table')
    const place = document.getElementById('swagger-ui').getBoundingClientRect()
    const body = table.querySelector('.highlight-code').getBoundingClientRect()
    return table.getBoundingClientRect().top >= place.top - 1 && body.top + 50 <= place.bottom
  })()`)
}

/** The contrast of the first such element with what is behind it, from 1 to 21, as WCAG 2.1 defines it. */
function contrast(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const element = document.querySelector('${selector}')
    const canvas = document.createElement('canvas').getContext('2d')
    const luminance = (colors) => {
      for (const color of colors) {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
      }
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = []
    for (let part = element; part !== null; part = part.parentElement)
      behind.unshift(getComputedStyle(part).backgroundColor)
    const back = luminance(['#fff', ...behind])
    const front = luminance([getComputedStyle(element).color])
    return (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05)
  })()`)
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

testInBrowser.each([{ dark: true }, { dark: false }])(
  'with dark: $dark, the badges, the buttons and the headers of a response can be read',
  async ({ dark }) => {
    const { page } = await open(1280, { dark })
    for (const name of ['listUsers', 'createUser', 'replaceUser']) await openOperation(page, `users-${name}`)
    await execute(operation(page, 'users-listUsers'))
    const selectors = [
      '.info .title small pre',
      '.info .title .version-stamp pre',
      '.info .url',
      ...METHODS.map((method) => `.opblock-${method} .opblock-summary-method`),
      ...['listUsers', 'createUser', 'replaceUser'].map((name) => `[id$=${name}] .cancel`),
      '[id$=replaceUser] h4',
      '.execute',
      '.parameter__in',
      '.download-contents',
      'table.headers td',
      '#session button',
    ]
    const contrasts = await Promise.all(selectors.map((selector) => contrast(page, selector)))
    const tooLow = selectors.filter((_, index) => Number(contrasts[index]) < 4.5)
    expect(tooLow).toEqual([])
  },
)

testInBrowser('the boxes for a body have a name, and the keyboard can scroll in a response', async () => {
  const { page } = await open(390)
  const creation = await openOperation(page, 'users-createUser')
  await creation.getByRole('textbox', { name: 'JSON' }).waitFor()
  const users = await openOperation(page, 'users-listUsers')
  await execute(users)
  expect(await users.locator('pre:not([tabindex="0"])').count()).toBe(0)
})

testInBrowser.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])(
  'a newcomer at $width pixels, dark: $dark: log in, list users, write a blog and read it, expire, log in again',
  async ({ width, dark }) => {
    const { page, console, requests } = await open(width, { dark })
    expect(page.url()).toBe(`${server.url}/docs`)
    await says(page, 'Not logged in.')
    if (!dark && process.env.UPDATE_SCREENSHOT) await page.screenshot({ path: SCREENSHOT })
    const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    expect(background === 'rgba(0, 0, 0, 0)').toBe(!dark)

    await topLogIn(page).click()
    const login = operation(page, 'Login-logIn')
    await login.getByRole('button', { name: 'Execute' }).waitFor()
    expect(await execute(login)).toMatchObject({ status: '200' })
    await says(page, /^Logged in as mia@example\.com until .*\d:\d\d/)

    const users = await execute(await openOperation(page, 'users-listUsers'))
    expect(users).toMatchObject({ status: '200', body: expect.stringContaining('Mia Keller') })

    const creation = await openOperation(page, 'blogs-createBlog')
    await creation.locator('textarea').fill(JSON.stringify({ title: `At ${width} pixels` }))
    expect(await execute(creation)).toMatchObject({ status: '201' })
    const reading = await openOperation(page, 'blogs-getBlog')
    await reading.locator('tr[data-param-name="id"] input').fill('2')
    const blog = await execute(reading)
    expect(blog).toMatchObject({ status: '200', body: expect.stringContaining(`At ${width} pixels`) })

    ahead = HOUR
    await page.clock.fastForward(HOUR)
    await says(page, 'Your token has expired: log in again.')
    await logInFromTop(page)
    await says(page, /^Logged in as mia@example\.com/)
    const again = await execute(operation(page, 'users-listUsers'))
    expect(again).toMatchObject({ status: '200' })

    expect(await page.locator('.live-responses-table').count()).toBe(4)
    expect(await tooWide(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    const elsewhere = requests.filter(
      (address) => !address.startsWith(`${server.url}/`) && !address.startsWith('data:'),
    )
    expect(elsewhere).toEqual([])
    expect(console).toEqual([])
  },
)

testInBrowser.each([
  { width: 1280, address: '/docs', linked: '' },
  { width: 1280, address: '/docs#/users/deleteUser', linked: 'users-deleteUser' },
  { width: 390, address: '/docs#/Login', linked: '' },
  { width: 390, address: '/docs#/users/deleteUser', linked: 'users-deleteUser' },
])(
  'at $width pixels, from $address: Log in shows the login, from the end of the page and with its tag collapsed',
  async ({ width, address, linked }) => {
    const { page } = await open(width, { address })
    for (const reload of linked === '' ? [] : [false, true]) {
      if (reload) await page.reload()
      await operation(page, linked).getByRole('button', { name: 'Execute' }).waitFor()
      // Milliseconds that Swagger UI takes at most to scroll there.
      await page.clock.runFor(2000)
      expect(await isInSight(page, linked)).toBe(true)
    }
    await page.locator('#operations-tag-Login').click()
    await operation(page, 'Login-logIn').waitFor({ state: 'detached' })
    await page.evaluate("document.getElementById('swagger-ui').scrollTo(0, 1e6)")
    await topLogIn(page).click()
    await operation(page, 'Login-logIn').getByRole('button', { name: 'Execute' }).waitFor()
    expect(await isInSight(page, 'Login-logIn')).toBe(true)
  },
)

testInBrowser(
  'where only the operations in sight exist, links lead to the last and Log in to the first',
  async () => {
    addCollections(30)
    const { page } = await open(390, { address: '/docs#/list29/listList29' })
    await operation(page, 'list29-listList29').getByRole('button', { name: 'Execute' }).waitFor()
    await operation(page, 'Login-logIn').waitFor({ state: 'detached' })
    await logInFromTop(page)
    await says(page, /^Logged in as/)
  },
)

testInBrowser(
  'the top says that the password is wrong, that a token is needed, and that the server refuses one',
  async () => {
    const { page } = await open(390)
    const users = await openOperation(page, 'users-listUsers')
    expect(await execute(users)).toMatchObject({ status: '401' })
    await says(page, 'This needs a token: log in first.')

    await topLogIn(page).click()
    const login = operation(page, 'Login-logIn')
    await login.locator('textarea').fill(JSON.stringify({ ...MIA, password: 'wrong' }))
    expect(await execute(login)).toMatchObject({ status: '401' })
    await says(page, 'Wrong email or password.')
    await login.locator('textarea').fill(JSON.stringify(MIA))
    await execute(login)
    await says(page, /^Logged in as/)
    await login.locator('textarea').fill('{"email": ')
    await execute(login)
    await says(
      page,
      /^The body is not valid JSON: correct it, and Execute\. Logged in as mia@example\.com until /,
    )

    ahead = HOUR
    await execute(users)
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await topLogIn(page).waitFor()
  },
)

testInBrowser('the sample login is filled in as a form, too', async () => {
  const { page } = await open(1280)
  await topLogIn(page).click()
  const login = operation(page, 'Login-logIn')
  await login.getByLabel('Request content type').selectOption('application/x-www-form-urlencoded')
  await login.locator('input[type=password]').waitFor()
  expect(await execute(login)).toMatchObject({ status: '200' })
  await says(page, /^Logged in as mia@example\.com until /)
})

testInBrowser('the top says that the server does not respond, until it does again', async () => {
  const { page } = await open(390)
  await logInFromTop(page)
  const users = await openOperation(page, 'users-listUsers')
  await page.context().setOffline(true)
  expect(await execute(users)).toEqual({
    status: '',
    body: expect.stringContaining('The server does not respond: is it still running?'),
  })
  await says(page, 'The server does not respond: is it still running?')
  await page.context().setOffline(false)
  await users.getByRole('button', { name: 'Clear' }).click()
  expect(await execute(users)).toMatchObject({ status: '200' })
  await says(page, /^Logged in as mia@example\.com/)
})

testInBrowser(
  'a login outlasts a reload of the page, unless the server refuses its token by then',
  async () => {
    const { page, console } = await open(1280)
    await logInFromTop(page)
    await says(page, /^Logged in as mia@example\.com/)
    await page.reload()
    await says(page, /^Logged in as mia@example\.com until .*\d:\d\d/)
    expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })

    ahead = HOUR
    await page.reload()
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await page.reload()
    await says(page, 'Not logged in.')
    expect(console).toEqual([expect.stringContaining('401 (Unauthorized)')])
  },
)

testInBrowser('a token can be pasted behind a lock, and Log out forgets it', async () => {
  const { page } = await open(1280)
  expect(await page.getByRole('button', { name: 'Authorize' }).count()).toBe(0)
  const users = await openOperation(page, 'users-listUsers')
  await users.getByRole('button', { name: 'authorization button' }).first().click()
  const dialog = page.locator('.modal-ux')
  await dialog.locator('input').fill(await logIn(server.url, MIA))
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await says(page, /^Logged in as mia@example\.com/)
  expect(await execute(users)).toMatchObject({ status: '200' })

  await page.getByRole('button', { name: 'Log out' }).click()
  await says(page, 'Not logged in.')
  await users.getByRole('button', { name: 'Clear' }).click()
  expect(await execute(users)).toMatchObject({ status: '401' })
  await page.reload()
  await says(page, 'Not logged in.')
})

testInBrowser.each([1280, 390])(
  'at %d pixels, with ten collections or more, groups open by hand or by the filter, and a response is in view',
  async (width) => {
    addCollections(10)
    const { page } = await open(width, { address: '/docs' }, '.opblock-tag')
    expect(await page.locator('.opblock').count()).toBe(0)
    await page.getByPlaceholder('Filter by tag or path').fill('list9')
    const list = await openOperation(page, 'list9-listList9')
    expect(await page.locator('.opblock-tag').count()).toBe(1)
    expect(await execute(list)).toMatchObject({ status: '401' })
    expect(await responseIsInSight(page, 'list9-listList9')).toBe(true)

    await logInFromTop(page)
    await says(page, /^Logged in as/)
    await page.locator('#operations-tag-users').click()
    const users = await openOperation(page, 'users-listUsers')
    expect(await execute(users)).toMatchObject({ status: '200' })
    expect(await responseIsInSight(page, 'users-listUsers')).toBe(true)
  },
)

testInBrowser('with fewer collections, the groups are open and there is no filter', async () => {
  addCollections(7)
  const { page } = await open(1280)
  expect(await page.getByPlaceholder('Filter by tag or path').count()).toBe(0)
})

describe('with sandboxes', () => {
  beforeEach(async () => {
    await server.close()
    server = await start({ sandboxes: true })
  })

  const entry = (page: Page) => page.getByRole('textbox', { name: 'Sandbox' })
  const inSandbox = (page: Page, name: string) => page.getByText(`In the sandbox ${name}`, { exact: true })
  const leave = (page: Page) => page.getByRole('button', { name: 'Leave the sandbox' })

  async function enter(page: Page, name: string): Promise<void> {
    await entry(page).fill(name)
    await page.getByRole('button', { name: 'Enter' }).click()
  }

  async function paste(page: Page, token: string): Promise<void> {
    await page.getByRole('button', { name: 'authorization button' }).first().click()
    const dialog = page.locator('.modal-ux')
    await dialog.locator('input').fill(token)
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
  }

  testInBrowser.each([1280, 390])(
    'at %d pixels, the top names the sandbox, every request and a reload keep it, and one click leaves it',
    async (width) => {
      const { page, console } = await open(width)
      const sent: unknown[] = []
      page.on('request', (request) => sent.push(request.headers()['x-sandbox']))
      await enter(page, 'mia-1')
      await inSandbox(page, 'mia-1').waitFor()
      const blogs = await openOperation(page, 'blogs-listBlogs')
      expect(await page.locator('[data-param-name=X-Sandbox]').count()).toBe(0)
      await execute(blogs)
      await logInFromTop(page)
      await says(page, /^Logged in as mia@example\.com/)
      expect(await execute(await openOperation(page, 'blogs-createBlog'))).toMatchObject({ status: '201' })
      expect(sent).toEqual(['mia-1', 'mia-1', 'mia-1'])
      expect(data.state.blogs).toHaveLength(1)
      expect(await scrollsSideways(page)).toBe(false)

      await page.reload()
      await inSandbox(page, 'mia-1').waitFor()
      await says(page, /^Logged in as mia@example\.com/)
      const reading = await openOperation(page, 'blogs-getBlog')
      await reading.locator('tr[data-param-name="id"] input').fill('2')
      expect(await execute(reading)).toMatchObject({ status: '200' })

      await leave(page).click()
      await says(page, 'Your login was one in the sandbox mia-1: log in again.')
      await reading.getByRole('button', { name: 'Clear' }).click()
      expect(await execute(reading)).toMatchObject({ status: '404' })
      expect(sent.at(-1)).toBe(undefined)
      await page.reload()
      await entry(page).waitFor()
      expect(console).toEqual([expect.stringContaining('404 (Not Found)')])
    },
  )

  testInBrowser('a login of the main data holds in a sandbox, and behind it', async () => {
    const { page } = await open(1280)
    await logInFromTop(page)
    await says(page, /^Logged in as/)
    await enter(page, 'mia-1')
    const users = await openOperation(page, 'users-listUsers')
    expect(await execute(users)).toMatchObject({ status: '200' })
    await leave(page).click()
    await entry(page).waitFor()
    await users.getByRole('button', { name: 'Clear' }).click()
    expect(await execute(users)).toMatchObject({ status: '200' })
    await says(page, /^Logged in as/)
  })

  testInBrowser('a token of a sandbox takes the page there, whichever it was in', async () => {
    const token = await logInTo(server.url, 'theirs', MIA)
    const { page } = await open(1280)
    await enter(page, 'mia-1')
    await paste(page, token)
    await inSandbox(page, 'theirs').waitFor()
    await says(page, /^Logged in as/)
    expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })
  })

  testInBrowser('a name that no sandbox can have is not taken', async () => {
    const { page } = await open(390)
    await enter(page, 'mia/1')
    expect(await page.evaluate("document.getElementById('sandbox-name').validationMessage")).toBe(
      'The name must be 1 to 64 letters, digits, dots, underscores or hyphens.',
    )
    await enter(page, 'mia-1')
    await inSandbox(page, 'mia-1').waitFor()
  })
})

testInBrowser('without sandboxes, the top has no field for one', async () => {
  const { page } = await open(390)
  expect(await page.getByLabel('Sandbox').isVisible()).toBe(false)
})
