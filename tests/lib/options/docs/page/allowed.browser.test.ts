import { docsPage, execute, logInAtTop, logInButton, openOperation, says } from './docs-page'

const { data, open, testInBrowser } = docsPage({ allow: ['POST /blogs'] })

testInBrowser('without a login, what is allowed succeeds, and the rest says 401', async () => {
  const { page } = await open(1280)
  expect(await execute(await openOperation(page, 'blogs-createBlog'))).toMatchObject({ status: '201' })
  expect(data().state.blogs).toHaveLength(2)
  expect(await execute(await openOperation(page, 'blogs-updateBlog'))).toMatchObject({ status: '401' })
  await says(page, 'This needs a token: log in first.')
})

describe('where no request needs a token', () => {
  const all = docsPage({ allow: 'all' })

  all.testInBrowser('the bar has no login until the one request that needs a token asks for it', async () => {
    const { page } = await all.open(390)
    await says(page, 'No request')
    expect(await logInButton(page).isVisible()).toBe(false)
    expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })
    const who = await openOperation(page, 'Login-whoAmI')
    expect(await execute(who)).toMatchObject({ status: '401' })
    await says(page, 'This needs a token: log in first.')
    await logInAtTop(page)
    await who.getByRole('button', { name: 'Clear' }).click()
    expect(await execute(who)).toMatchObject({ status: '200' })
  })
})
