import { createServer, request } from 'node:http'
import { logIn } from '../../../../support/http'
import {
  docsPage,
  emailField,
  execute,
  logInAtTop,
  logInButton,
  MIA,
  openOperation,
  passwordField,
  says,
} from './docs-page'
import { waitUntil } from './measures'

const { data, open, setAhead, testInBrowser, url } = docsPage()

const HOUR = 3_600_000

testInBrowser(
  'the bar says that a token is needed, that the password is wrong, and that the server refuses a token',
  async () => {
    const { page } = await open(390)
    const users = await openOperation(page, 'users-listUsers')
    expect(await execute(users)).toMatchObject({ status: '401' })
    await says(page, 'This needs a token: log in first.')

    await passwordField(page).fill('wrong')
    await logInButton(page).click()
    await says(page, 'Wrong email or password.')
    const refused = page.locator('#log-in [aria-invalid=true][aria-describedby=status]')
    expect(await refused.count()).toBe(2)
    await passwordField(page).and(page.locator(':focus')).waitFor()
    await passwordField(page).fill(MIA.password)
    expect(await refused.count()).toBe(0)
    await logInAtTop(page)

    setAhead(HOUR)
    await execute(users)
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await logInButton(page).waitFor()
  },
)

testInBrowser('the first Tab leads to the login, Enter logs in, and the requests come next', async () => {
  const { page } = await open(1280)
  await page.keyboard.press('Tab')
  await emailField(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await says(page, /^Logged in as mia@example\.com until /)
  await page.locator('#swagger-ui:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.locator('#swagger-ui :focus').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await says(page, 'Not logged in.')
  await emailField(page).and(page.locator(':focus')).waitFor()
})

testInBrowser('without a focus, keys scroll the requests', async () => {
  const { page } = await open(390)
  await page.keyboard.press('PageDown')
  await waitUntil(page, "document.getElementById('swagger-ui').scrollTop > 100")
})

testInBrowser('the bar logs in before Swagger UI is there, which then has the token', async () => {
  const { page } = await open(1280)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/swagger-ui*', async (route) => {
    await released
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await logInAtTop(page)
  expect(await page.locator('.swagger-ui').count()).toBe(0)
  release()
  expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })
  await page.unrouteAll()
})

testInBrowser('behind a proxy that strips a prefix, requests go through the proxy', async () => {
  const proxy = createServer((incoming, response) => {
    const { method, url: address = '', headers } = incoming
    // Whatever is not below the prefix belongs to another application.
    if (!address.startsWith('/mock/')) response.writeHead(404).end()
    else
      incoming.pipe(
        request(url() + address.slice('/mock'.length), { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }),
      )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { page } = await open(1280)
  await page.goto(`http://127.0.0.1:${port}/mock/docs`)
  await logInAtTop(page)
  for (const name of ['users-listUsers', 'blogs-listBlogs', 'User_lookup-lookUpUsers'])
    expect(await execute(await openOperation(page, name))).toMatchObject({ status: '200' })
  proxy.close()
})

testInBrowser(
  "the login's own operation logs in as well, with the sample filled in as JSON and as a form",
  async () => {
    const { page } = await open(1280)
    const login = await openOperation(page, 'Login-logIn')
    expect(await execute(login)).toMatchObject({ status: '200' })
    await says(page, /^Logged in as mia@example\.com until /)
    await page.getByRole('button', { name: 'Log out' }).click()
    await login.getByLabel('Request content type').selectOption('application/x-www-form-urlencoded')
    await login.locator('input[type=password]').waitFor()
    expect(await execute(login)).toMatchObject({ status: '200' })
    await says(page, /^Logged in as mia@example\.com until /)
  },
)

testInBrowser('the bar says that the server does not respond, until it does again', async () => {
  const { page } = await open(390)
  await page.context().setOffline(true)
  await logInButton(page).click()
  await says(page, 'The server does not respond: is it still running?')
  await page.context().setOffline(false)
  await logInAtTop(page)
  const users = await openOperation(page, 'users-listUsers')
  await page.context().setOffline(true)
  expect(await execute(users)).toEqual({
    status: '',
    body: expect.stringContaining('does not respond'),
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
    await logInAtTop(page)
    await page.reload()
    await says(page, /^Logged in as mia@example\.com until .*\d:\d\d/)
    expect(await execute(await openOperation(page, 'users-listUsers'))).toMatchObject({ status: '200' })

    setAhead(HOUR)
    await page.reload()
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await page.reload()
    await says(page, 'sample')
    expect(console).toEqual([expect.stringContaining('401 (Unauthorized)')])
  },
)

testInBrowser('the bar names whoever is logged in, whatever the email has', async () => {
  // In the token, the second character becomes one that only the alphabet for URLs has.
  const email = 'z?ë@example.com'
  data().replace({ ...data().state, users: [{ id: 1, email, password: 'x' }] })
  const { page } = await open(1280)
  await emailField(page).fill(email)
  await passwordField(page).fill('x')
  await logInButton(page).click()
  await says(page, `Logged in as ${email} until `)
})

testInBrowser('the bar says when the token ends, with the day where that is not today', async () => {
  const { page } = await open(1280, { ownClock: true })
  for (const [hour, end] of [
    [12, /until \d+:30\D*$/],
    [23, /until .*20\d\d.*:30\D*$/],
  ] as const) {
    const now = new Date().setHours(hour, 30, 0, 0)
    setAhead(now - Date.now())
    await page.clock.setSystemTime(now)
    await logInAtTop(page)
    await says(page, end)
    await page.getByRole('button', { name: 'Log out' }).click()
  }
})

testInBrowser('after Log out, the page does not ask again when the token ends', async () => {
  const { page, requests } = await open(1280, { ownClock: true })
  await logInAtTop(page)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.clock.runFor(HOUR + 2000)
  await says(page, 'Not logged in.')
  expect(requests.filter((address) => address.endsWith('/auth/me'))).toEqual([])
})

testInBrowser(
  'the bar notices by itself that the token has ended, and the focus goes to the login',
  async () => {
    const { page } = await open(1280, { ownClock: true })
    await logInAtTop(page)
    await page.getByRole('button', { name: 'Log out' }).focus()
    setAhead(HOUR)
    await page.clock.runFor(HOUR + 2000)
    await says(page, 'Your token has expired, or the server was restarted: log in again.')
    await emailField(page).and(page.locator(':focus')).waitFor()
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
  await says(page, 'sample')
})
