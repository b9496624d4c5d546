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
      '.info .title small pre',
      '.info .title .version-stamp pre',
      '.info .url',
      ...METHODS.map((method) => `.opblock-${method} .opblock-summary-method`),
      ...['listUsers', 'createUser', 'replaceUser'].map((name) => `[id$=${name}] .cancel`),
      '[id$=replaceUser] h4',
      '.execute',
      '.parameter__in',
      '.download-contents',
      '.microlight span[style*="211, 99, 99"]',
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
