import path from 'node:path'
import { docsPage, execute, logInFromTop, openOperation, operation, says, topLogIn } from './docs-page'
import { scrollsSideways, tooWide } from './measures'

const { open, setAhead, testInBrowser, url } = docsPage()

/**
 * The README's picture, made again by `UPDATE_SCREENSHOT=1 npx jest tests/lib/options/docs/page/newcomer`.
 */
const SCREENSHOT = path.join(__dirname, '../../../../../docs/screenshot.png')
const HOUR = 3_600_000

testInBrowser.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])(
  'a newcomer at $width pixels, dark: $dark: log in, list users, write a blog and read it, expire, log in again',
  async ({ width, dark }) => {
    const { page, console, requests } = await open(width, { dark, ownClock: true })
    expect(page.url()).toBe(`${url()}/docs`)
    await says(page, 'Not logged in.')
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
    if (!dark && process.env.UPDATE_SCREENSHOT) {
      await reading.locator('.btn-group').evaluate('(buttons) => buttons.scrollIntoView()')
      await page.screenshot({ path: SCREENSHOT })
    }

    setAhead(HOUR)
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
      (address) => !address.startsWith(`${url()}/`) && !address.startsWith('data:'),
    )
    expect(elsewhere).toEqual([])
    expect(console).toEqual([])
  },
)

testInBrowser('without sandboxes, the top has no field for one', async () => {
  const { page } = await open(390)
  expect(await page.getByLabel('Sandbox').isVisible()).toBe(false)
})
