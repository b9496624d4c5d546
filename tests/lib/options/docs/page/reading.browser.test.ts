import { docsPage, execute, openOperation, operation } from './docs-page'
import { contrast } from './measures'

const { data, open, testInBrowser } = docsPage()

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

testInBrowser('the arrows of schemas have a name, and no button has a link inside', async () => {
  const { page } = await open(1280)
  const users = await openOperation(page, 'users-listUsers')
  await users.getByRole('tab', { name: 'Schema' }).first().click()
  await users.getByRole('img', { name: 'Fields' }).first().waitFor()
  expect(await page.locator('button a, [role=button] a').count()).toBe(0)
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

testInBrowser('the name of a collection is text, whatever it holds', async () => {
  const name = '<img src=x onerror=alert(1)>'
  data().replace({ ...data().state, [name]: [] })
  const { page, console } = await open(390)
  await page.getByText(`names: ${name}.`).waitFor()
  expect(await page.locator('#swagger-ui img').count()).toBe(0)
  expect(console).toEqual([])
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

testInBrowser.each([1280, 390])(
  'at %d pixels, the button that sends a request is in sight at once, and comes where it is drawn',
  async (width) => {
    const { page } = await open(width)
    const users = await openOperation(page, 'users-listUsers')
    const execute = users.getByRole('button', { name: 'Execute' })
    await users.evaluate((block) => block.scrollIntoView())
    const box = await execute.boundingBox()
    const parameters = await users.locator('.parameters').boundingBox()
    expect(box && parameters && box.y + box.height <= 900 && parameters.y + parameters.height > 900).toBe(
      true,
    )
    const lastField = users.getByPlaceholder('_expand')
    await lastField.focus()
    await page.keyboard.press('Tab')
    await execute.and(page.locator(':focus')).waitFor()
    const last = await lastField.boundingBox()
    const drawn = await execute.boundingBox()
    expect(last && drawn && drawn.y >= last.y + last.height).toBe(true)
  },
)

testInBrowser(
  'the focus stays at the button that sends a request, also when its response is cleared',
  async () => {
    const { page } = await open(1280)
    const users = await openOperation(page, 'users-listUsers')
    const focused = users.getByRole('button', { name: 'Execute' }).and(page.locator(':focus'))
    await users.getByRole('button', { name: 'Execute' }).focus()
    await page.keyboard.press('Enter')
    await users.locator('.live-responses-table').waitFor()
    await focused.waitFor()
    await users.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Enter')
    await focused.waitFor()
  },
)
