import { docsPage, execute, logInAtTop, openOperation, operation } from './docs-page'
import { comesIntoSight, responseComesIntoSight } from './measures'

const { addCollections, open, testInBrowser } = docsPage()

testInBrowser('a link leads to its operation, also after a reload', async () => {
  const { page } = await open(390, { address: '/docs#/users/deleteUser', ownClock: true })
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await operation(page, 'users-deleteUser').getByRole('button', { name: 'Execute' }).waitFor()
    // Milliseconds that Swagger UI takes at most to scroll there.
    await page.clock.runFor(2000)
    await comesIntoSight(page, 'users-deleteUser')
  }
})

testInBrowser('where only the operations in sight exist, a link leads to the last', async () => {
  addCollections(30)
  const { page } = await open(390, { address: '/docs#/list29/listList29' })
  await operation(page, 'list29-listList29').getByRole('button', { name: 'Execute' }).waitFor()
  await operation(page, 'Login-logIn').waitFor({ state: 'detached' })
})

testInBrowser.each([1280, 390])(
  'at %d pixels, with ten collections or more, groups are closed at first and can be filtered, and a response is in view',
  async (width) => {
    addCollections(10)
    const { page } = await open(width, { address: '/docs', first: '.opblock-tag' })
    expect(await page.locator('.opblock').count()).toBe(0)
    await page.getByPlaceholder('Filter by tag or path').fill('list9')
    await page.locator('.opblock-tag').nth(1).waitFor({ state: 'detached' })
    await page.locator('#operations-tag-list9').click()
    const list = await openOperation(page, 'list9-listList9')
    expect(await execute(list)).toMatchObject({ status: '401' })
    await responseComesIntoSight(page, 'list9-listList9')

    await logInAtTop(page)
    await page.getByPlaceholder('Filter by tag or path').clear()
    await page.locator('#operations-tag-users').click()
    const users = await openOperation(page, 'users-listUsers')
    expect(await execute(users)).toMatchObject({ status: '200' })
    await responseComesIntoSight(page, 'users-listUsers')
  },
)

testInBrowser('with fewer collections, the groups are open and there is no filter', async () => {
  addCollections(7)
  const { page } = await open(1280)
  expect(await page.getByPlaceholder('Filter by tag or path').count()).toBe(0)
})

testInBrowser('two operations that are opened at once both have a field for the id', async () => {
  const { page } = await open(1280)
  const names = ['users-getUser', 'users-replaceUser']
  await page.evaluate(
    `for (const name of ${JSON.stringify(names)})
      document.querySelector('#operations-' + name + ' .opblock-summary-control').click()`,
  )
  for (const name of names) await operation(page, name).locator('tr[data-param-name=id] input').waitFor()
})
