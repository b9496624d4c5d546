import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { type Listening, listen } from '../../lib/http/server/listen'
import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { newFolder, removeFolders } from '../support/data'
import { freePort, killAll, Launched } from '../support/process'
import { fromNpm } from './from-npm'

const { folder: packages, testWith } = fromNpm('openid', {
  '@angular/common': '21',
  '@angular/compiler': '21',
  '@angular/core': '21',
  '@angular/platform-browser': '21',
  '@angular/router': '21',
  '@auth0/auth0-spa-js': '2',
  '@auth/express': '0.12',
  '@azure/msal-browser': '5',
  'angular-auth-oidc-client': '22',
  esbuild: '0.28',
  express: '5',
  'express-openid-connect': '3',
  jose: '6',
  'keycloak-js': '26',
  'oidc-client-ts': '3',
  'openid-client': '6',
  react: '19',
  'react-dom': '19',
  'react-oidc-context': '3',
  rxjs: '7',
})
const { testInBrowser, browser } = testsInBrowser()
const testWithBrowser = testInBrowser === test.skip ? test.skip : testWith

const PEM = readFileSync(path.join(__dirname, '../support/localhost.pem'))

/** Clients that run in a browser, and the path of the issuer that each asks. */
const IN_BROWSER = [
  ['oidc-client-ts', ''],
  ['react-oidc-context', '/oauth2/default'],
  ['keycloak-js', '/realms/demo'],
  ['angular-auth-oidc-client', ''],
  ['msal-browser', ''],
  ['auth0-spa-js', ''],
] as const

/** The paths at which Auth0's client asks, which knows no others, and an issuer with a slash at its end. */
const AUTH0_ROUTES = {
  '/authorize': '/protocol/openid-connect/auth',
  '/oauth/token': '/protocol/openid-connect/token',
  '/v2/logout': '/protocol/openid-connect/logout',
}

const MIA = { id: 1, email: 'mia@example.com', password: 'sourdough', name: 'Mia', role: 'admin' }
const NOAH = { id: 2, email: 'noah@example.com', password: 'rye', name: 'Noah', role: 'baker' }
type Person = typeof MIA

let project: string
beforeAll(async () => {
  if (testWithBrowser === test.skip) return
  project = await newFolder({})
  await cp(path.join(__dirname, 'openid'), project, { recursive: true })
  await symlink(packages, path.join(project, 'node_modules'))
  const names = [...IN_BROWSER.map(([name]) => name), 'msal-popups', 'msal-bridge']
  for (const name of names)
    await writeFile(
      path.join(project, `${name}.entry.mjs`),
      `import { open } from './${name}.mjs'\nimport { show } from './page.mjs'\nshow(open)\n`,
    )
  const entries = names.map((name) => `${name}.entry.mjs`)
  const options = ['--bundle', '--format=esm', '--outdir=built', '--define:process.env.NODE_ENV="production"']
  await promisify(execFile)(
    process.execPath,
    [path.join(packages, 'esbuild/bin/esbuild'), ...entries, ...options],
    {
      cwd: project,
    },
  )
})
const listening: Listening[] = []
const contexts: BrowserContext[] = []
afterEach(async () => {
  await killAll()
  for (const context of contexts.splice(0)) await context.close()
  for (const server of listening.splice(0)) await server.close(0)
})
afterAll(removeFolders)

/** Listens at localhost, with https where a client wants that. */
async function serveAt(handler: RequestListener, isSecure: boolean): Promise<string> {
  const tls = isSecure ? { tls: { cert: PEM, key: PEM } } : {}
  const server = await listen(handler, { port: 0, host: 'localhost', ...tls })
  listening.push(server)
  return `http${isSecure ? 's' : ''}://localhost:${server.port}`
}

async function serveMock({ isSecure = false, isAuth0 = false } = {}): Promise<string> {
  const data = { users: [MIA, NOAH], tasks: [] }
  let app: RequestListener = (_request, response) => response.writeHead(503).end()
  const address = await serveAt((request, response) => app(request, response), isSecure)
  const ofAuth0 = isAuth0 ? { routes: AUTH0_ROUTES, issuer: `${address}/` } : {}
  app = createApp({ data, openid: true, sandboxes: true, log: false, ...ofAuth0 })
  return address
}

/** Serves the page of each client. */
function serveSite(issuer: string, isSecure: boolean): Promise<string> {
  const html = (script: string) => `<!doctype html><title></title><body>${script}`
  const handler: RequestListener = async (request, response) => {
    const [, name = '', type] = /^\/([\w-]+)\.(html|js)/.exec(request.url ?? '') ?? []
    const isScript = type === 'js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    if (isScript) response.end(await readFile(path.join(project, `built/${name}.entry.js`)))
    else if (name === 'silent')
      response.end(html('<script>parent.postMessage(location.href, location.origin)</script>'))
    else if (name === '') response.writeHead(404).end()
    else
      response.end(
        html(`<script>issuer = '${issuer}'</script><script type="module" src="/${name}.js"></script>`),
      )
  }
  return serveAt(handler, isSecure)
}

/** A browser of its own, whose requests to the mock name a sandbox, as the fixture of Playwright has it. */
async function openBrowser(mock: string, sandbox: string): Promise<BrowserContext> {
  const context = await browser().newContext({ ignoreHTTPSErrors: true })
  contexts.push(context)
  await context.route(
    (url) => url.origin === mock,
    (route) => route.fallback({ headers: { ...route.request().headers(), 'x-sandbox': sandbox } }),
  )
  return context
}

/** Fills in the form of the provider, at first with a wrong password. */
async function logInAs({ email, password }: Person, page: Page): Promise<void> {
  await page.getByLabel('Name or email').waitFor()
  for (const typed of ['wrong', password]) {
    await page.getByLabel('Name or email').fill(email)
    await page.getByLabel('Password').fill(typed)
    await page.getByRole('button').click()
    if (typed === 'wrong') await page.getByRole('alert').waitFor()
  }
}

/** Whether somebody is logged in to a client, when its page is back and knows that. */
async function stateOf(page: Page, address: string): Promise<string | null> {
  await page.waitForURL((url) => url.origin + url.pathname === address)
  const root = page.locator('html[data-state]')
  await root.waitFor()
  return root.getAttribute('data-state')
}

/** Lets a client act that leaves its page. */
async function leave(page: Page, action: 'logIn' | 'logOut'): Promise<void> {
  await page.evaluate(`delete document.documentElement.dataset.state; void app.${action}()`)
}

/** Asks for tasks with the token alone, or adds one. */
async function tasks(page: Page, mock: string, token: string, method = 'GET') {
  const response = await page.request.fetch(`${mock}/tasks`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(method === 'POST' && { data: {} }),
  })
  return { status: response.status(), text: await response.text() }
}

/** All that one person does with a client, in a sandbox. */
async function journey(page: Page, address: string, mock: string, person: Person): Promise<void> {
  await page.goto(address)
  expect(await stateOf(page, address)).toBe('logged out')
  await leave(page, 'logIn')
  await logInAs(person, page)
  expect(await stateOf(page, address)).toBe('logged in')
  const user: { token: string; claims: object } = await page.evaluate('app.user')
  expect(user.claims).toMatchObject({ email: person.email, name: person.name, sub: String(person.id) })
  expect((await tasks(page, mock, user.token, 'POST')).status).toBe(201)
  const renewed: { token: string } = await page.evaluate('app.renew()')
  expect(renewed.token).not.toBe(user.token)
  // One task, of this sandbox.
  expect(JSON.parse((await tasks(page, mock, renewed.token)).text)).toEqual([{ id: 1 }])

  const other = await page.context().newPage()
  await other.goto(address)
  if ((await stateOf(other, address)) === 'logged out') {
    await leave(other, 'logIn')
    expect(await stateOf(other, address)).toBe('logged in')
  }
  await other.close()

  await leave(page, 'logOut')
  expect(await stateOf(page, address)).toBe('logged out')
  expect((await tasks(page, mock, renewed.token)).status).toBe(401)
  await leave(page, 'logIn')
  await page.getByLabel('Name or email').waitFor()
}

testWithBrowser.each(IN_BROWSER)(
  '%s logs in, renews, shares the login of a browser and logs out, in two sandboxes at once',
  async (name, prefix) => {
    const isSecure = name === 'msal-browser'
    const mock = await serveMock({ isSecure, isAuth0: name === 'auth0-spa-js' })
    const site = await serveSite(mock + prefix, isSecure)
    await Promise.all(
      [MIA, NOAH].map(async (person) => {
        const context = await openBrowser(mock, `${name}-${person.id}`)
        await journey(await context.newPage(), `${site}/${name}.html`, mock, person)
      }),
    )
  },
)

testWithBrowser(
  'msal-browser logs in and out by popups, and silently, with its redirect bridge',
  async () => {
    const mock = await serveMock({ isSecure: true })
    const site = await serveSite(mock, true)
    const context = await openBrowser(mock, 'msal-popups')
    const page = await context.newPage()
    const address = `${site}/msal-popups.html`
    await page.goto(address)
    expect(await stateOf(page, address)).toBe('logged out')
    const [popup, name] = await Promise.all([
      context.waitForEvent('page').then(async (opened) => {
        await logInAs(MIA, opened)
        return opened
      }),
      page.evaluate('app.logIn()'),
    ])
    expect([name, await page.evaluate('app.renew()')]).toEqual([MIA.email, MIA.email])
    await page.evaluate('app.logOut()')
    expect(popup.isClosed()).toBe(true)
    await expect(page.evaluate('app.renew()')).rejects.toThrow()
  },
)

/** Starts a server that logs in by a client, for an issuer. */
async function serveClient(name: string, issuer: string): Promise<string> {
  const server = await Launched.listening({
    folder: project,
    program: [path.join(project, `${name}.mjs`)],
    args: [],
    env: { ISSUER: issuer, PORT: String(await freePort()) },
  })
  return `http://localhost:${new URL(server.url).port}`
}

/** What a server shows of whoever has logged in. */
async function shownIn(page: Page): Promise<{ user: object | null; access?: string; subject?: string }> {
  return JSON.parse(await page.locator('body').innerText())
}

testWithBrowser(
  'openid-client logs in, renews and logs out, in two sandboxes at once, though its server names none',
  async () => {
    const mock = await serveMock()
    await Promise.all(
      [MIA, NOAH].map(async (person) => {
        const site = await serveClient('openid-client', mock)
        const page = await (await openBrowser(mock, `openid-client-${person.id}`)).newPage()
        await page.goto(`${site}/login`)
        await logInAs(person, page)
        await page.waitForURL(`${site}/`)
        const { user, access = '' } = await shownIn(page)
        expect(user).toMatchObject({ email: person.email, sub: String(person.id) })
        expect((await tasks(page, mock, access, 'POST')).status).toBe(201)
        await page.goto(`${site}/renew`)
        const renewed = await shownIn(page)
        expect(renewed.access).not.toBe(access)
        expect(JSON.parse((await tasks(page, mock, String(renewed.access))).text)).toEqual([{ id: 1 }])
        await page.goto(`${site}/logout`)
        await page.waitForURL(`${site}/`)
        expect((await tasks(page, mock, access)).status).toBe(401)
      }),
    )
  },
)

testWithBrowser(
  'Auth.js logs in and out, in two sandboxes at once, though its server names none',
  async () => {
    const mock = await serveMock()
    const site = await serveClient('auth-js', mock)
    await Promise.all(
      [MIA, NOAH].map(async (person) => {
        const page = await (await openBrowser(mock, `auth-js-${person.id}`)).newPage()
        await page.goto(`${site}/auth/signin`)
        await page.getByRole('button').click()
        await logInAs(person, page)
        await page.waitForURL(`${site}/**`)
        await page.goto(site)
        const { user, access = '' } = await shownIn(page)
        expect(user).toMatchObject({ email: person.email, name: person.name })
        expect((await tasks(page, mock, access, 'POST')).status).toBe(201)
        expect(JSON.parse((await tasks(page, mock, access)).text)).toEqual([{ id: 1 }])
        await page.goto(`${site}/auth/signout`)
        await page.getByRole('button').click()
        await page.waitForURL(`${site}/**`)
        await page.goto(site)
        expect(await page.locator('body').innerText()).toBe('null')
      }),
    )
  },
)

testWithBrowser(
  'express-openid-connect logs in by form_post, and jose checks its access token by the published keys',
  async () => {
    const mock = await serveMock()
    const site = await serveClient('express-openid-connect', mock)
    const page = await (await openBrowser(mock, 'express-openid-connect')).newPage()
    await page.goto(`${site}/guarded`)
    await logInAs(MIA, page)
    await page.waitForURL(`${site}/`)
    const { user, access = '', subject } = await shownIn(page)
    expect(user).toMatchObject({ email: MIA.email, name: MIA.name })
    expect(subject).toBe(String(MIA.id))
    expect((await tasks(page, mock, access)).status).toBe(200)
    await page.goto(`${site}/logout`)
    await page.waitForURL(`${site}/`)
    expect((await tasks(page, mock, access)).status).toBe(401)
  },
)
