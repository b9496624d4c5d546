import { docsPage, execute, logInAtTop, openOperation, operation, says } from './docs-page'
import { scrollsSideways, tooWide } from './measures'

const { iconsAsked, open, setAhead, testInBrowser, url } = docsPage()

const HOUR = 3_600_000

testInBrowser.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])(
  'a newcomer at $width pixels, dark: $dark: log in, list users, write a blog and read it, expire, log in again',
  async ({ width, dark }) => {
    const { page, console, requests } = await open(width, { dark })
    expect(page.url()).toBe(`${url()}/docs`)
    await says(page, 'sample')
    const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    expect(background === 'rgba(0, 0, 0, 0)').toBe(!dark)

    await logInAtTop(page)
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

    setAhead(HOUR)
    const listing = operation(page, 'users-listUsers')
    expect(await execute(listing)).toMatchObject({ status: '401' })
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await logInAtTop(page)
    expect(await execute(listing)).toMatchObject({ status: '200' })

    expect(await page.locator('.live-responses-table').count()).toBe(3)
    expect(await tooWide(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
    const elsewhere = requests.filter(
      (address) => !address.startsWith(`${url()}/`) && !address.startsWith('data:'),
    )
    expect(elsewhere).toEqual([])
    expect(console).toEqual([expect.stringContaining('401 (Unauthorized)')])
    expect(iconsAsked()).toBe(0)
  },
)

testInBrowser('without sandboxes, the top has no field for one', async () => {
  const { page } = await open(390)
  expect(await page.getByLabel('Sandbox').isVisible()).toBe(false)
})
