import { docsPage, execute, openOperation, operation } from './docs-page'
import { contrast } from './measures'

const { open, testInBrowser } = docsPage()

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

testInBrowser.each([{ dark: true }, { dark: false }])(
  'with dark: $dark, the badges, the buttons and the headers of a response can be read',
  async ({ dark }) => {
    const { page } = await open(1280, { dark })
    for (const name of ['listUsers', 'createUser', 'replaceUser']) await openOperation(page, `users-${name}`)
    await execute(operation(page, 'users-listUsers'))
    const selectors = [
      '.info .title .version-stamp pre',
      '.info .url',
      ...METHODS.map((method) => `.opblock-${method} .opblock-summary-method`),
      '[id$=replaceUser] h4',
      '.execute',
      '.parameter__in',
      '.download-contents',
      '.microlight span[style*="211, 99, 99"]',
      'table.headers td',
      '#log-in button',
      '#log-in input',
      '#status',
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

testInBrowser(
  'the bar, the introduction and the requests are landmarks, and headings skip no level',
  async () => {
    const { page } = await open(1280)
    await execute(await openOperation(page, 'users-listUsers'))
    for (const landmark of ['banner', 'main'] as const) expect(await page.getByRole(landmark).count()).toBe(1)
    await page.getByRole('region', { name: 'Introduction' }).getByRole('heading', { level: 1 }).waitFor()
    const levels = await page
      .getByRole('heading')
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName[1])))
    const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)
    expect({ levels, skipped }).toEqual({ levels, skipped: [] })
  },
)

testInBrowser('the rest of the introduction is folded away', async () => {
  const { page } = await open(390)
  const rest = page.getByText('HEAD is the same as GET')
  expect(await rest.isVisible()).toBe(false)
  await page.getByText('What this document shows, and what it does not').click()
  await rest.waitFor()
})

testInBrowser('where there is room, a response is beside its request, and elsewhere below', async () => {
  for (const width of [1280, 390]) {
    const { page } = await open(width)
    const users = await openOperation(page, 'users-listUsers')
    await execute(users)
    const request = await users.locator('.parameters').boundingBox()
    const response = await users.locator('.live-responses-table').boundingBox()
    if (request === null || response === null) throw new Error('Nothing is shown.')
    expect(response.x > request.x + request.width).toBe(width === 1280)
    expect(response.y > request.y + request.height).toBe(width === 390)
  }
})

testInBrowser('at 390 pixels, the button that sends a request is in sight at once', async () => {
  const { page } = await open(390)
  const users = await openOperation(page, 'users-listUsers')
  const box = await users.getByRole('button', { name: 'Execute' }).boundingBox()
  const parameters = await users.locator('.parameters').boundingBox()
  expect(box && parameters && box.y + box.height <= 900 && parameters.y + parameters.height > 900).toBe(true)
})
