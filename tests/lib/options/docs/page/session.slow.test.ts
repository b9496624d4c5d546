import { createServer, request } from 'node:http'
import { logIn } from '../../../../support/http'
import { docsPage, execute, logInFromTop, MIA, openOperation, operation, says, topLogIn } from './docs-page'

const { open, setAhead, testInBrowser, url } = docsPage()

const HOUR = 3_600_000

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

    setAhead(HOUR)
    await execute(users)
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await topLogIn(page).waitFor()
  },
)

testInBrowser(
  'Log in puts the focus into the form, where Enter logs in, at once or after typing',
  async () => {
    const { page } = await open(1280)
    await topLogIn(page).click()
    const box = operation(page, 'Login-logIn').locator('textarea')
    await box.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await says(page, /^Logged in as mia@example\.com until /)
    await page.getByRole('button', { name: 'Log out' }).click()
    await box.fill(JSON.stringify({ ...MIA, password: 'wrong' }))
    await page.keyboard.press('Enter')
    await says(page, 'Wrong email or password.')
  },
)

testInBrowser('behind a proxy that strips a prefix, requests go through the proxy', async () => {
  const proxy = createServer(({ method, url: address = '', headers }, response) => {
    // Whatever is not below the prefix belongs to another application.
    if (!address.startsWith('/mock/')) response.writeHead(404).end()
    else
      request(url() + address.slice('/mock'.length), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { page } = await open(1280)
  await page.goto(`http://127.0.0.1:${port}/mock/docs`)
  for (const name of ['blogs-listBlogs', 'User_lookup-lookUpUsers'])
    expect(await execute(await openOperation(page, name))).toMatchObject({ status: '200' })
  proxy.close()
})

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

    setAhead(HOUR)
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
  await dialog.locator('input').fill(await logIn(url(), MIA))
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
