import type { Page } from 'playwright-core'
import { logIn, logInTo, send } from '../../../../support/http'
import { docsPage, execute, logInAtTop, MIA, openOperation, says } from '../../docs/page/docs-page'
import { scrollsSideways } from '../../docs/page/measures'

const { data, open, setAhead, testInBrowser, url } = docsPage({ sandboxes: true, live: true })

const entry = (page: Page) => page.getByRole('textbox', { name: 'Sandbox' })
const inSandbox = (page: Page, name: string) => page.getByText(`In the sandbox ${name}`, { exact: true })
const leave = (page: Page) => page.getByRole('button', { name: 'Leave the sandbox' })

async function enter(page: Page, name: string): Promise<void> {
  await entry(page).fill(name)
  await page.getByRole('button', { name: 'Enter', exact: true }).click()
}

async function paste(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'authorization button' }).first().click()
  const dialog = page.locator('.modal-ux')
  await dialog.locator('input').fill(token)
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
}

testInBrowser(
  'the top names the sandbox, every request and a reload keep it, and one click leaves it',
  async () => {
    const { page, console } = await open(390)
    const sent: unknown[] = []
    page.on('request', (request) => sent.push(request.headers()['x-sandbox']))
    await enter(page, 'mia-1')
    await inSandbox(page, 'mia-1').waitFor()
    const blogs = await openOperation(page, 'blogs-listBlogs')
    expect(await page.locator('[data-param-name=X-Sandbox]').count()).toBe(0)
    await execute(blogs)
    await logInAtTop(page)
    expect(await execute(await openOperation(page, 'blogs-createBlog'))).toMatchObject({ status: '201' })
    expect(sent).toEqual(['mia-1', 'mia-1', 'mia-1'])
    expect(data().state.blogs).toHaveLength(1)
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

testInBrowser('the page says that reads show the main data until the first login', async () => {
  const { page } = await open(390)
  const note = page.getByText('Until the first login in it, reads show the main data.')
  expect(await note.isVisible()).toBe(false)
  await enter(page, 'mia-1')
  await note.waitFor()
  expect(await scrollsSideways(page)).toBe(false)
})

testInBrowser('whoever is logged in begins a sandbox by entering it', async () => {
  const { page } = await open(1280)
  await logInAtTop(page)
  const begins = page.waitForResponse('**/__sandbox/requests')
  await enter(page, 'mia-1')
  expect((await begins).status()).toBe(200)
  await data().commit({ ...data().state, blogs: [] })
  expect(await page.getByText('reads show the main data').count()).toBe(0)
  // A public read, which carries no token.
  const blogs = await execute(await openOperation(page, 'blogs-listBlogs'))
  expect(blogs.body).toContain('A bakery at five')
})

testInBrowser('a sandbox for which there is no room says so', async () => {
  const token = await logIn(url(), MIA)
  for (let number = 0; number < 200; number += 1)
    await send(url(), 'GET /__sandbox/requests', { sandbox: `full-${number}`, token })
  const { page } = await open(390)
  await logInAtTop(page)
  await enter(page, 'mia-1')
  await page.getByText('There are already 200 sandboxes.').waitFor()
})

testInBrowser('a token that has ended begins no sandbox', async () => {
  const { page } = await open(390)
  await logInAtTop(page)
  setAhead(3_600_000)
  const refused = page.waitForResponse('**/__sandbox/requests')
  await enter(page, 'mia-1')
  expect((await refused).status()).toBe(401)
  await says(page, 'Your token has expired, or the server was restarted: log in again.')
  await page.evaluate('new Promise(requestAnimationFrame)')
  await page.getByText('Until the first login in it, reads show the main data.').waitFor()
})

testInBrowser('a login of the main data holds in a sandbox, and behind it', async () => {
  const { page } = await open(1280)
  await logInAtTop(page)
  await enter(page, 'mia-1')
  const users = await openOperation(page, 'users-listUsers')
  expect(await execute(users)).toMatchObject({ status: '200' })
  await leave(page).click()
  await entry(page).waitFor()
  // A name that stays there would say that the page is still in its sandbox.
  expect(await entry(page).inputValue()).toBe('')
  await users.getByRole('button', { name: 'Clear' }).click()
  expect(await execute(users)).toMatchObject({ status: '200' })
  await says(page, /^Logged in as/)
})

testInBrowser('a token of a sandbox takes the page there, whichever it was in', async () => {
  const token = await logInTo(url(), 'theirs', MIA)
  const { page } = await open(1280)
  await enter(page, 'mia-1')
  await paste(page, token)
  await inSandbox(page, 'theirs').waitFor()
  await says(page, /^Logged in as/)
  expect(await page.getByText('reads show the main data').count()).toBe(0)
  expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })
})

testInBrowser(
  'a token of the main data begins the sandbox that the page is in, and none outside of one',
  async () => {
    const { page } = await open(1280)
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await logInAtTop(page)
    await page.getByRole('button', { name: 'Log out' }).click()
    await enter(page, 'mia-1')
    expect(sent).not.toContain('/__sandbox/requests')
    const begins = page.waitForResponse('**/__sandbox/requests')
    await paste(page, await logIn(url(), MIA))
    expect((await begins).status()).toBe(200)
    await inSandbox(page, 'mia-1').waitFor()
  },
)

testInBrowser('a name that no sandbox can have is not taken', async () => {
  const { page } = await open(390)
  await enter(page, 'mia/1')
  expect(
    await page.evaluate("document.querySelector('#session form:not(#log-in) input').validationMessage"),
  ).toBe('The name must be 1 to 64 letters, digits, dots, underscores or hyphens.')
  await enter(page, 'mia-1')
  await inSandbox(page, 'mia-1').waitFor()
})
