import { createServer } from 'node:http'
import axe from 'axe-core'
import express from 'express'
import type { Locator, Page } from 'playwright-core'
import { MemoryData } from '../../../../lib/data/data-source'
import type { Data } from '../../../../lib/data/valid-data'
import { type AppOptions, createApp, listen, signingKey } from '../../../../server'
import { testsInBrowser } from '../../../support/browser'
import { ADA, makeProject, sampleData } from '../../../support/data'
import { logIn, send, serve } from '../../../support/http'

const { testInBrowser, browser } = testsInBrowser()

const closing: (() => unknown)[] = []
let console: string[]
beforeEach(() => {
  console = []
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** What a console says beside the requests that a test lets fail. */
afterEach(() => expect(console.filter((text) => !text.includes('Failed to load resource'))).toEqual([]))

function orders(count = 120) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: `Order ${index + 1}`,
    total: index * 7.5,
    code: '5',
    paid: index % 3 === 0,
    items: [{ sku: `A${index}` }],
  }))
}

const DATA = { ...sampleData(), orders: orders() }

async function newPage({ width = 1280, dark = false, token = '' } = {}): Promise<Page> {
  const page = await browser().newPage({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
  })
  closing.unshift(() => page.close())
  // However slow the machine is: what never comes, the time limit of the test ends.
  page.setDefaultTimeout(0)
  page.on('console', (message) => console.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => console.push(error.message))
  page.on('dialog', (dialog) => console.push(`dialog: ${dialog.message()}`))
  if (token !== '') await page.addInitScript(`sessionStorage.token ??= '${token}'`)
  return page
}

interface Opened {
  page: Page
  url: string
  data: MemoryData
  token: string
}

interface Shown {
  /** Behind the # of the address. */
  hash?: string
  width?: number
  dark?: boolean
  /** Whether somebody is logged in. */
  isLoggedIn?: boolean
}

/** Opens the page of a server, by default as somebody who is logged in, at the orders. */
async function open(
  { data = DATA, ...options }: Partial<Omit<AppOptions, 'data'>> & { data?: Data } = {},
  { hash = '/orders', isLoggedIn = true, ...look }: Shown = {},
): Promise<Opened> {
  const source = new MemoryData(structuredClone(data))
  const server = await serve(createApp({ data: source, docs: true, log: false, ...options }))
  closing.push(() => server.close())
  const token = isLoggedIn ? await logIn(server.url) : ''
  const page = await newPage({ ...look, token })
  await page.goto(`${server.url}/docs/data#${hash}`)
  if (isLoggedIn) await state(page, 'live')
  return { page, url: server.url, data: source, token }
}

const state = (page: Page, name: string) => page.locator('#live', { hasText: name }).waitFor()
const said = (page: Page, text: string | RegExp) => page.locator('#said', { hasText: text }).waitFor()
const place = (page: Page, text: string) => page.locator('#place', { hasText: text }).waitFor()
const rows = (page: Page) => page.locator('#table tbody tr')

/** Hides the page as another tab does, or shows it again. */
function turn(page: Page, visibility: 'hidden' | 'visible'): Promise<unknown> {
  return page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${visibility}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`,
  )
}

/** The cell of a field in the row at a place, from 0. */
async function cell(page: Page, row: number, field: string): Promise<Locator> {
  const names = await page.locator('#table th').allInnerTexts()
  return rows(page).nth(row).locator('td').nth(names.indexOf(field))
}

async function showsText(page: Page, row: number, field: string, text: string): Promise<void> {
  const shown = await cell(page, row, field)
  await shown.filter({ hasText: new RegExp(`^${text}$`) }).waitFor()
}

/** Types something into a cell, as a person does. */
async function type(page: Page, row: number, field: string, text: string, key = 'Enter'): Promise<void> {
  await (await cell(page, row, field)).dblclick()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await page.keyboard.press(key)
}

/** Waits until something holds that the page shows by and by. */
async function expectSoon(holds: () => Promise<void>): Promise<void> {
  const begun = Date.now()
  for (;;) {
    const failed = await holds().catch((error: unknown) => error)
    if (failed === undefined) return
    if (Date.now() - begun > 10_000) throw failed
  }
}

async function read(url: string, path: string, token?: string): Promise<unknown> {
  return JSON.parse((await send(url, `GET ${path}`, { token })).text)
}

async function logInOn(page: Page, password: string): Promise<void> {
  await page.getByLabel('password').fill(password)
  await page.keyboard.press('Enter')
}

testInBrowser('1: / redirects to docs/data, and the fragment survives', async () => {
  const { page, url } = await open({}, { isLoggedIn: false })
  await page.goto(`${url}/#email=ada@example.com`)
  expect(page.url()).toBe(`${url}/docs/data#email=ada@example.com`)
})

testInBrowser.each([
  { options: {}, field: 'email' },
  {
    options: { login: '/in', data: { users: [{ id: 1, username: 'ada', password: 'x' }] } },
    field: 'username',
  },
])(
  '2: the login form has the fields of the login, what is named filled in, never a password: $field',
  async ({ options, field }) => {
    const { page } = await open(options, { isLoggedIn: false, hash: `${field}=ada&password=x` })
    await page.locator('#login').waitFor()
    expect(await page.locator('#login label').allInnerTexts()).toEqual([field, 'password'])
    expect(await page.getByLabel(field).inputValue()).toBe('ada')
    expect(await page.getByLabel('password').inputValue()).toBe('')
  },
)

testInBrowser('3: a wrong password says so and keeps the form', async () => {
  const { page } = await open({}, { isLoggedIn: false, hash: `email=${ADA.email}` })
  await logInOn(page, 'wrong')
  await page.locator('#login [role=alert]', { hasText: 'Nobody' }).waitFor()
  expect(await page.getByLabel('email').inputValue()).toBe(ADA.email)
  await logInOn(page, ADA.password)
  await rows(page).first().waitFor()
  expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([1, 0])
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.locator('#login').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
})

testInBrowser('4: with --allow all, rows show without any login', async () => {
  const { page } = await open({ allow: 'all' }, { isLoggedIn: false })
  await state(page, 'live')
  expect(await rows(page).count()).toBe(50)
  await page.getByRole('link', { name: 'Requests' }).click()
  await state(page, 'live')
})

testInBrowser('4: what --allow opens shows; a DELETE asks for a login, and the table is back', async () => {
  const { page, data } = await open({ allow: ['GET /posts'] }, { isLoggedIn: false, hash: '/posts' })
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('#login').waitFor()
  await page.getByRole('link', { name: 'Data' }).click()
  await state(page, 'live')
  await rows(page).first().getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('email').fill(ADA.email)
  await logInOn(page, ADA.password)
  await rows(page).first().getByRole('button', { name: 'Delete' }).click()
  await said(page, 'deleted posts/1')
  expect(data.state.posts).toMatchObject([{ id: 2 }])
})

testInBrowser('5: with --token-in cookie, page, edit, stream and requests work', async () => {
  const { page, data } = await open({ tokenIn: 'cookie:session', login: '/in' }, { isLoggedIn: false })
  await page.getByLabel('email').fill(ADA.email)
  await logInOn(page, ADA.password)
  await state(page, 'live')
  await type(page, 0, 'title', 'By a cookie')
  await said(page, 'updated orders/1')
  expect(data.state.orders).toMatchObject({ 0: { title: 'By a cookie' } })
  await page.getByRole('link', { name: 'Requests' }).click()
  await state(page, 'live')
})

testInBrowser('6: with --openid, people log in by /auth/login as before', async () => {
  const { page } = await open({ openid: true }, { isLoggedIn: false, hash: `email=${ADA.email}` })
  await logInOn(page, ADA.password)
  await state(page, 'live')
})

testInBrowser('7: of 100,000 records, the server pages, sorts and searches', async () => {
  const { page, url, token } = await open({ data: { ...sampleData(), orders: orders(100_000) } })
  await place(page, '1–50 of 100,000')
  expect(await rows(page).count()).toBe(50)
  await page.getByRole('button', { name: 'Next page' }).click()
  await place(page, '51–100 of 100,000')
  await page.getByRole('button', { name: 'total' }).click()
  await page.getByRole('button', { name: 'total' }).click()
  await showsText(page, 0, 'id', '100000')
  expect(await page.locator('th[aria-sort=descending]').innerText()).toBe('total')
  await page.getByLabel('Search').fill('paid=true&total_lte=30')
  await place(page, '1–2 of 2')
  expect(await page.locator('#asked').innerText()).toBe(
    'GET /orders?paid=true&total_lte=30&_sort=total&_order=desc&_page=1&_limit=50',
  )
  await page.getByLabel('Search').fill('Order 99999')
  await place(page, '1–1 of 1')
  await state(page, 'live')
  // Of what was searched for, the stream is whole.
  await send(url, 'PATCH /orders/1', { token, body: { title: 'Order 99999, too' } })
  await place(page, '1–2 of 2')
})

testInBrowser('7: a search that an address names can be typed on, whatever is in its values', async () => {
  const titles = ['R&D 5', 'R&D 50', 'R', 'a=b']
  const data = { ...sampleData(), orders: titles.map((title, index) => ({ id: index + 1, title })) }
  const { page } = await open({ data }, { hash: '/orders?title_like=R%26D+5&_sort=id' })
  await place(page, '1–2 of 2')
  expect(await page.locator('#asked').innerText()).toBe(
    'GET /orders?title_like=R%26D+5&_sort=id&_page=1&_limit=50',
  )
  const search = page.getByLabel('Search')
  expect(await search.inputValue()).toBe('title_like=R%26D 5')
  await search.press('End')
  await search.pressSequentially('0')
  await place(page, '1–1 of 1')
  await showsText(page, 0, 'title', 'R&D 50')
  await search.blur()
  for (const [sent, shown] of [
    ['q=R%26D+5', 'R&D 5'],
    ['q=a%3Db', 'q=a%3Db'],
    ['q=R&id=1', 'q=R&id=1'],
    ['title=50%25', 'title=50%25'],
  ]) {
    await page.evaluate(`location.hash = '/orders?${sent}'`)
    await page.waitForFunction(`document.querySelector('#search').value === '${shown}'`)
  }
})

testInBrowser(
  '8: with 100 fields, the id on the left and the actions on the right stay in sight',
  async () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 'some text']))
    const { page } = await open({
      data: { ...sampleData(), orders: Array.from({ length: 50 }, (_, id) => ({ id: id + 1, ...wide })) },
    })
    expect(await rows(page).locator('td').count()).toBe(50 * 102)
    await page.locator('#table').evaluate((table) => table.scrollBy(3000, 0))
    const first = await rows(page).first().locator('td.id').boundingBox()
    const last = await rows(page).first().locator('td.acts').boundingBox()
    expect(first?.x).toBeLessThan(250)
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(1280)
  },
)

testInBrowser('9: a PATCH by another client shows without reload, its cells alone flash', async () => {
  const { page, url, token } = await open()
  await send(url, 'PATCH /orders/2', { token, body: { title: 'Elsewhere' } })
  await showsText(page, 1, 'title', 'Elsewhere')
  await said(page, 'updated orders/2')
  const flashing = 'document.getAnimations().map(({ effect }) => effect.target.textContent)'
  expect(await page.evaluate(flashing)).toEqual(['Elsewhere'])
})

testInBrowser('10: after a POST and a DELETE by another, count and rows follow', async () => {
  const { page, url, token } = await open({ data: { ...sampleData(), orders: orders(3) } })
  await send(url, 'POST /orders', { token, body: { title: 'New', coupon: 'a new field' } })
  await place(page, '1–4 of 4')
  await showsText(page, 3, 'coupon', 'a new field')
  await send(url, 'DELETE /orders/1', { token })
  await place(page, '1–3 of 3')
  await showsText(page, 0, 'id', '2')
})

testInBrowser('11: after a thousand changes, two hundred at once, the table is exact', async () => {
  const { page, url, token } = await open()
  // A system keeps few connections waiting that are not accepted yet.
  for (let first = 0; first < 1000; first += 200)
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        send(url, `PATCH /orders/${(index % 50) + 1}`, { token, body: { total: first + index } }),
      ),
    )
  const stored = await read(url, '/orders?_limit=50', token)
  const totals = () => page.locator('#table td:nth-child(3)').allInnerTexts()
  await expectSoon(async () =>
    expect(stored).toMatchObject((await totals()).map((total) => ({ total: Number(total) }))),
  )
})

testInBrowser('12, 13: a server that is gone and back, and one with another secret', async () => {
  const source = new MemoryData(structuredClone(DATA))
  const start = (secret: string, port = 0) =>
    listen(createApp({ data: source, docs: true, log: false, secret: signingKey(secret) }), {
      port,
      host: '127.0.0.1',
    })
  let server = await start('one secret of a server, which is long')
  const url = `http://127.0.0.1:${server.port}`
  closing.push(() => server.close(0))
  const page = await newPage({ token: await logIn(url) })
  await page.goto(`${url}/docs/data#/orders`)
  await state(page, 'live')

  await server.close(0)
  await state(page, 'connecting…')
  await turn(page, 'hidden')
  await turn(page, 'visible')
  await said(page, 'does not respond')
  await state(page, 'connecting…')
  await source.commit({ ...source.state, orders: [{ id: 1, title: 'Meanwhile' }] })
  server = await start('one secret of a server, which is long', server.port)
  await state(page, 'live')
  await place(page, '1–1 of 1')
  await showsText(page, 0, 'title', 'Meanwhile')

  const refusals: string[] = []
  page.on('response', (response) => response.status() === 401 && refusals.push(response.url()))
  await server.close(0)
  server = await start('another secret of a server, and long', server.port)
  await page.locator('#login').waitFor()
  await page.getByLabel('email').fill(ADA.email)
  await logInOn(page, ADA.password)
  await state(page, 'live')
  expect(refusals).toHaveLength(1)
})

testInBrowser('14: a change of the data by hand shows', async () => {
  const { page, data } = await open()
  data.replace({ ...data.state, orders: [{ id: 7, title: 'By hand' }] })
  await place(page, '1–1 of 1')
  await showsText(page, 0, 'title', 'By hand')
})

/** The names of the resources that the page leads to. */
const names = (page: Page) => page.locator('#resources a').allInnerTexts()

/** Turns to the page as a person does who comes from an editor. */
const lookAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('focus'))")

testInBrowser(
  '14: a collection that is new shows to whoever turns to the page, and what is typed stays',
  async () => {
    const { page, data } = await open({ data: { ...sampleData(), orders: orders(3) } })
    await (await cell(page, 1, 'title')).dblclick()
    await page.keyboard.type('half')
    data.replace({ ...data.state, invoices: [{ id: 1, sum: 5 }] })
    await lookAgain(page)
    const link = page.locator('#resources').getByText('invoices')
    await link.waitFor()
    await page.keyboard.type(' and half')
    await page.keyboard.press('Enter')
    await showsText(page, 1, 'title', 'half and half')
    await link.click()
    await showsText(page, 0, 'sum', '5')
    await state(page, 'live')
    // Whoever goes on to another one need not turn to the page.
    data.replace({ ...data.state, receipts: [] })
    await page.locator('#resources').getByText('orders').click()
    await expectSoon(async () => expect(await names(page)).toContain('receipts'))
    await place(page, '1–3 of 3')
    // In a window that has not the focus, a tab is shown without one.
    await turn(page, 'hidden')
    data.replace({ ...data.state, parcels: [] })
    await turn(page, 'visible')
    await expectSoon(async () => expect(await names(page)).toContain('parcels'))
  },
)

testInBrowser('14: a collection that is gone is left, and one that is an object now is one', async () => {
  const { page, data } = await open()
  const { orders: _, ...others } = data.state
  data.replace(others)
  await said(page, 'no "orders"')
  expect(await names(page)).toEqual(Object.keys(others))
  await place(page, '1–3 of 3')
  // Its address leads to it again.
  data.replace({ ...others, orders: orders(2) })
  await lookAgain(page)
  await place(page, '1–2 of 2')
  data.replace({ ...others, orders: { title: 'One' } })
  await place(page, 'one record')
  await showsText(page, 0, 'title', 'One')
  data.replace({})
  await said(page, 'no resources')
  expect(await rows(page).count()).toBe(0)
  data.replace({ orders: orders(1) })
  await lookAgain(page)
  await place(page, '1–1 of 1')
  expect(await page.locator('#said').innerText()).toBe('')
})

testInBrowser('14: a server that is back without the collection leads to another', async () => {
  const start = (data: Data, port = 0) =>
    listen(createApp({ data, docs: true, log: false, allow: 'all' }), { port, host: '127.0.0.1' })
  let server = await start({ orders: orders(1), posts: [{ id: 1 }] })
  closing.push(() => server.close(0))
  const page = await newPage()
  await page.goto(`http://127.0.0.1:${server.port}/docs/data#/orders`)
  await state(page, 'live')
  await server.close(0)
  await state(page, 'connecting…')
  server = await start({ posts: [{ id: 1 }, { id: 2 }] }, server.port)
  await said(page, 'no "orders"')
  await place(page, '1–2 of 2')
})

testInBrowser('15: a hidden tab keeps no connection, and is current when seen again', async () => {
  const { page, url, token } = await open()
  const ended = page.waitForEvent('requestfailed')
  await turn(page, 'hidden')
  expect((await ended).url()).toBe(`${url}/orders`)
  await send(url, 'PATCH /orders/1', { token, body: { title: 'Unseen' } })
  expect(await page.locator('#live').innerText()).toBe('')
  await turn(page, 'visible')
  await showsText(page, 0, 'title', 'Unseen')
  await state(page, 'live')
})

testInBrowser('16: Enter saves, Escape does not, Tab goes on to the next cell', async () => {
  const { page, url, token } = await open()
  await type(page, 0, 'title', 'saved')
  await said(page, 'updated orders/1')
  await type(page, 1, 'title', 'not saved', 'Escape')
  await showsText(page, 1, 'title', 'Order 2')
  // Nothing waits until the first change is saved.
  await type(page, 2, 'title', 'by Tab', 'Tab')
  const editor = (await cell(page, 2, 'total')).locator('.edit')
  await editor.waitFor()
  await page.keyboard.type('42')
  await page.keyboard.press('Enter')
  await showsText(page, 2, 'total', '42')
  // From the cell that has the focus, without the mouse.
  await page.keyboard.press('Enter')
  await editor.waitFor()
  await page.keyboard.type('43')
  await page.keyboard.press('Enter')
  await showsText(page, 2, 'total', '43')
  expect(await read(url, '/orders?_limit=3', token)).toMatchObject([
    { title: 'saved' },
    { title: 'Order 2' },
    { title: 'by Tab', total: 43 },
  ])
})

testInBrowser('16: what is typed stays when the row changes elsewhere, and others come and go', async () => {
  const { page, url, token } = await open({ data: { ...sampleData(), orders: orders(3) } })
  await (await cell(page, 1, 'title')).dblclick()
  await page.keyboard.type('half')
  await send(url, 'PATCH /orders/2', { token, body: { total: 77, added: true } })
  await send(url, 'DELETE /orders/1', { token })
  await send(url, 'POST /orders', { token, body: { title: 'More' } })
  await showsText(page, 2, 'title', 'More')
  await showsText(page, 0, 'total', '77')
  await page.keyboard.type(' and half')
  await page.keyboard.press('Enter')
  await showsText(page, 0, 'title', 'half and half')
})

testInBrowser('17: a number stays a number; a text "5" stays a text', async () => {
  const { page, url, token } = await open()
  await type(page, 0, 'total', '12.50')
  await showsText(page, 0, 'total', '12.5')
  await type(page, 0, 'code', '6')
  await showsText(page, 0, 'code', '6')
  expect(await read(url, '/orders/1', token)).toMatchObject({ total: 12.5, code: '6' })
})

testInBrowser('18: the id cannot be edited', async () => {
  const { page } = await open()
  await (await cell(page, 0, 'id')).dblclick()
  expect(await page.locator('#table .edit').count()).toBe(0)
})

testInBrowser('19: undo of an edit, of a toggle (Ctrl+Z), of a DELETE with its id', async () => {
  const { page, url, token } = await open({ data: { ...sampleData(), orders: orders(3) } })
  const undo = page.getByRole('button', { name: 'Undo' })
  await type(page, 0, 'title', 'changed')
  await showsText(page, 0, 'title', 'changed')
  await undo.click()
  await showsText(page, 0, 'title', 'Order 1')
  const box = (await cell(page, 0, 'paid')).getByRole('checkbox')
  await box.uncheck()
  await said(page, 'updated orders/1')
  await page.keyboard.press('Control+z')
  await page.locator('#said', { hasText: 'undone' }).waitFor()
  await rows(page).first().getByRole('button', { name: 'Delete' }).click()
  await place(page, '1–2 of 2')
  await undo.click()
  await said(page, 'what was deleted together with it is not back')
  await place(page, '1–3 of 3')
  expect(await read(url, '/orders/1', token)).toEqual(orders(1)[0])
  expect(await undo.count()).toBe(0)
})

testInBrowser('19: undo of a new record, and of a whole one', async () => {
  const { page, url, token } = await open({ data: { ...sampleData(), orders: orders(1) } })
  const undo = page.getByRole('button', { name: 'Undo' })
  await page.getByRole('button', { name: 'New record' }).click()
  const blank = { title: '', total: 0, code: '', paid: false, items: [] }
  expect(JSON.parse(await page.locator('#json').inputValue())).toEqual(blank)
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, 'created orders/2')
  await place(page, '1–2 of 2')
  await undo.click()
  await place(page, '1–1 of 1')
  await rows(page).first().getByRole('button', { name: 'The record as JSON' }).click()
  await page.locator('#json').fill('{"title": "Replaced"}')
  await page.getByRole('button', { name: 'Save' }).click()
  await showsText(page, 0, 'title', 'Replaced')
  await undo.click()
  await showsText(page, 0, 'title', 'Order 1')
  expect(await read(url, '/orders', token)).toEqual(orders(1))
})

testInBrowser(
  '20, 21: a nested value is JSON, saved by PATCH of the field; bad JSON keeps the dialog',
  async () => {
    const { page, url, token } = await open()
    await (await cell(page, 0, 'items')).dblclick()
    await page.locator('#json').fill('[{"sku": }]')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#editor [role=alert]', { hasText: 'JSON' }).waitFor()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.locator('#json').fill('[{"sku": "B"}]')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON()).toEqual({ items: [{ sku: 'B' }] })
    await page.locator('#editor').waitFor({ state: 'hidden' })
    expect(await read(url, '/orders/1', token)).toMatchObject({ items: [{ sku: 'B' }] })
  },
)

testInBrowser('22: a singular resource is one row, PATCH, no delete, no add', async () => {
  const { page, url, token } = await open({}, { hash: '/profile' })
  await place(page, 'one record')
  await type(page, 0, 'name', 'changed')
  await said(page, 'updated profile')
  expect(await read(url, '/profile', token)).toEqual({ name: 'changed' })
  expect(await page.getByRole('button', { name: /Delete|New record/ }).count()).toBe(0)
  await send(url, 'PATCH /profile', { token, body: { name: 'elsewhere' } })
  await showsText(page, 0, 'name', 'elsewhere')
})

testInBrowser('23: records without ids and lists of texts show, without edit or delete', async () => {
  const { page, url } = await open(
    { data: { ...sampleData(), texts: ['a', 'b'], loose: [{ a: 1 }, { a: 2 }] } },
    { hash: '/texts' },
  )
  for (const [name, field] of [
    ['texts', 'value'],
    ['loose', 'a'],
  ] as const) {
    await page.goto(`${url}/docs/data#/${name}`)
    await place(page, '1–2 of 2')
    await (await cell(page, 1, field)).dblclick()
    expect(await page.locator('#table .edit').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  }
})

const MARKUP = '"><img src=x onerror=alert(1)>'

testInBrowser('24, 30: odd names and ids open, and can be edited and deleted; markup is text', async () => {
  const record = { id: 'b/c', [MARKUP]: MARKUP, text: '<script>alert(1)</script>' }
  const data = {
    ...sampleData(),
    'my list': [record, { id: MARKUP, text: 'x' }],
    öl: [{ id: 1 }],
    [MARKUP]: [{ id: 1 }],
  }
  const { page, data: source } = await open({ data, title: MARKUP }, { hash: '/my%20list' })
  expect(await page.title()).toBe(`${MARKUP}: data`)
  await type(page, 0, 'text', MARKUP)
  await said(page, 'updated my list/b/c')
  await type(page, 1, 'text', 'edited')
  await said(page, `updated my list/${MARKUP}`)
  expect(source.state['my list']).toMatchObject([{ text: MARKUP }, { text: 'edited' }])
  await rows(page).nth(1).getByRole('button', { name: 'Delete' }).click()
  await said(page, `deleted my list/${MARKUP}`)
  await rows(page).nth(0).getByRole('button', { name: 'Delete' }).click()
  await said(page, 'deleted my list/b/c')
  expect(source.state['my list']).toEqual([])
  for (const name of ['öl', MARKUP]) {
    await page.locator('#resources').getByText(name, { exact: true }).click()
    await place(page, '1–1 of 1')
  }
  expect(await page.locator('img, main script').count()).toBe(0)
})

testInBrowser('25: with --id _id, it is the first column, and edits go to it', async () => {
  const { page, data } = await open({
    data: { ...sampleData(), orders: [{ title: 'One', id: 9, _id: 'k1' }] },
    idProperty: '_id',
  })
  expect(await page.locator('#table th').first().innerText()).toBe('_id')
  await type(page, 0, 'title', 'Two')
  await said(page, 'updated orders/k1')
  expect(data.state.orders).toEqual([{ title: 'Two', id: 9, _id: 'k1' }])
})

testInBrowser('26: below a prefix rule, the page asks there', async () => {
  const { page } = await open({ routes: { '/api/*': '/$1', '/docs/*': '/orders' } })
  expect(await page.locator('#asked').innerText()).toBe('GET /api/orders?_page=1&_limit=50')
  await type(page, 0, 'title', 'Prefixed')
  await said(page, 'updated orders/1')
})

testInBrowser("27: the public list shows json-server's array, and is live", async () => {
  const { page, url, token } = await open({}, { hash: '/blogs' })
  await place(page, '1–3 of 3')
  await send(url, 'POST /blogs', { token, body: { title: 'Four' } })
  await place(page, '1–4 of 4')
  await type(page, 0, 'title', 'Changed')
  await said(page, 'updated blogs/1')
})

testInBrowser('28: with --read-only, nothing adds, deletes, edits or undoes', async () => {
  const { page } = await open({ readOnly: true })
  expect(await page.getByRole('button', { name: /Delete|New record|Undo|Save/ }).count()).toBe(0)
  await (await cell(page, 0, 'title')).dblclick()
  expect(await page.locator('#table .edit').count()).toBe(0)
  expect(await (await cell(page, 0, 'paid')).getByRole('checkbox').isDisabled()).toBe(true)
})

testInBrowser('29: a field names a sandbox: edits and requests are those of its copy alone', async () => {
  const { page, url, data, token } = await open({ sandboxes: true })
  await page.getByLabel('Sandbox').fill('lab')
  await page.keyboard.press('Enter')
  await page.waitForResponse((response) => response.request().headers()['x-sandbox'] === 'lab')
  await state(page, 'live')
  await type(page, 0, 'title', 'In the lab')
  await said(page, 'updated orders/1')
  expect(data.state.orders).toMatchObject({ 0: { title: 'Order 1' } })
  await send(url, 'GET /orders/99', { token })
  await send(url, 'GET /orders/1', { sandbox: 'lab' })
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.locator('#lines tr', { hasText: '[lab] GET /orders/1' }).waitFor()
  expect(await page.locator('#lines tr', { hasText: '/orders/99' }).count()).toBe(0)
})

testInBrowser('30: links and pictures are those that can do nothing', async () => {
  const { page } = await open({
    data: {
      ...sampleData(),
      orders: [
        {
          id: 1,
          link: 'https://example.com/a',
          script: 'javascript:alert(1)',
          svg: 'data:image/svg+xml,<svg onload="alert(1)"/>',
          png: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          elsewhere: '//example.com/a.png',
          logOut: '/logout?x=.png',
        },
      ],
    },
  })
  const links = page.locator('#table a')
  expect(await links.count()).toBe(1)
  expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer')
  expect(await page.locator('#table img').count()).toBe(1)
  expect(await page.locator('#table img').getAttribute('src')).toContain('image/png')
})

testInBrowser(
  '37: wrong requests of a page at another port show with reasons, the newest on top',
  async () => {
    const { page, url, token } = await open({}, { hash: 'requests' })
    const site = await serve((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('A page'),
    )
    closing.push(() => site.close())
    const other = await newPage()
    await other.goto(site.url)
    const bearer = `{ headers: { Authorization: 'Bearer ${token}' } }`
    await other.evaluate(`(async () => {
    await fetch('${url}/orders')
    await fetch('${url}/order', ${bearer})
    await fetch('${url}/orders/999', ${bearer})
  })()`)
    const lines = page.locator('#lines tr')
    await lines.nth(3).waitFor()
    const texts = await lines.locator('.target').allInnerTexts()
    // Those of the page itself are left out.
    expect(texts).toEqual(['GET /orders/999', 'GET /order', 'GET /orders', 'POST /auth/login'])
    for (const index of [0, 1, 2]) expect(await lines.nth(index).locator('.why').innerText()).not.toBe('')
    await page.getByLabel('Preflights').check()
    await lines.filter({ hasText: 'OPTIONS' }).first().waitFor()
    await page.getByLabel('Only refused').check()
    await lines.filter({ hasText: 'OPTIONS' }).first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Nothing yet').waitFor()
  },
)

testInBrowser.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
])(
  '40: at $width pixels, dark: $dark, the page never scrolls sideways, and axe finds nothing',
  async (look) => {
    const { page, url, token } = await open({}, look)
    await send(url, 'GET /order', { token })
    await send(url, 'GET /orders')
    const check = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      // The content security policy lets nobody else run a script in the page: the tool is no exception there.
      const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`)
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
    }
    await check()
    const back = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    expect(back).toBe(look.dark ? 'rgb(20, 21, 24)' : 'rgb(255, 255, 255)')
    await rows(page).first().getByRole('button', { name: 'The record as JSON' }).click()
    await check()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.locator('#lines tr').nth(1).waitFor()
    await check()
    await page.evaluate("sessionStorage.token = 'none'")
    await page.reload()
    await page.locator('#login').waitFor()
    await check()
  },
)

testInBrowser('41: the page and Swagger UI share the login, both ways', async () => {
  const { page } = await open({}, { isLoggedIn: false, hash: `email=${ADA.email}` })
  await logInOn(page, ADA.password)
  await state(page, 'live')
  await page.getByRole('link', { name: 'API' }).click()
  await page.locator('.authorize.locked').click()
  const form = page.locator('.auth-container', { hasText: 'bearerAuth' })
  await form.getByRole('button', { name: 'Remove authorization' }).click()
  await form.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Data' }).click()
  await page.locator('#login').waitFor()
  await page.getByRole('link', { name: 'API' }).click()
  const operation = page.locator('.opblock[id$="-logIn"]')
  await operation.locator('.opblock-summary-control').click()
  const body = operation.locator('textarea').first()
  await body.fill(JSON.stringify(ADA))
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').waitFor()
  await page.getByRole('link', { name: 'Data' }).click()
  await rows(page).first().waitFor()
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

testInBrowser('42: mounted at a path, the page finds everything', async () => {
  const app = createApp({ data: structuredClone(DATA), docs: true, log: false })
  const server = await serve(express().use('/mock', app))
  closing.push(() => server.close())
  const page = await newPage()
  await page.goto(`${server.url}/mock#email=${ADA.email}`)
  expect(page.url()).toBe(`${server.url}/mock/docs/data#email=${ADA.email}`)
  await logInOn(page, ADA.password)
  await state(page, 'live')
  await page.goto(`${server.url}/mock/docs/data#/orders`)
  await place(page, '1–50 of 120')
  await type(page, 0, 'title', 'Mounted')
  await said(page, 'updated orders/1')
})

testInBrowser('42: behind a proxy that strips a prefix, the page finds everything', async () => {
  const app = createApp({ data: structuredClone(DATA), docs: true, log: false })
  const proxy = createServer((request, response) => {
    request.url = (request.url ?? '').replace(/^\/mock/, '')
    app(request, response)
  })
  const server = await serve((request, response) => proxy.emit('request', request, response))
  closing.push(() => server.close())
  const page = await newPage()
  await page.goto(`${server.url}/mock/#email=${ADA.email}`)
  expect(page.url()).toBe(`${server.url}/mock/docs/data#email=${ADA.email}`)
  await logInOn(page, ADA.password)
  await state(page, 'live')
})

testInBrowser('beside a static folder with an index.html, the page is at its address', async () => {
  const folder = await makeProject({ 'index.html': 'Mine', 'a.png': 'x' })
  const { page } = await open({ static: folder })
  await place(page, '1–50 of 120')
})

testInBrowser('a new record of a private list is the own one', async () => {
  const { page, url, token } = await open({
    data: { ...sampleData(), orders: [{ id: 1, title: 'Own', userId: 1 }] },
    private: ['orders'],
  })
  await page.getByRole('button', { name: 'New record' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await said(page, /^created/)
  expect(await read(url, '/orders/2', token)).toMatchObject({ title: '', userId: 1 })
})

testInBrowser.each(['private', 'owned'])(
  'a login of --user chooses the owner of a new record of a list that is %s',
  async (rule) => {
    const me = { email: 'me', password: 'secret' }
    const { page, data } = await open(
      { data: { ...sampleData(), notes: [] }, [rule]: ['notes'], logins: [me] },
      { isLoggedIn: false, hash: '/notes' },
    )
    const add = page.getByRole('button', { name: 'New record' })
    const shown = async () => {
      await add.click()
      await page.locator('#editor[open]').waitFor()
      return JSON.parse(await page.locator('#json').inputValue())
    }
    await page.getByLabel('email').fill(me.email)
    await logInOn(page, me.password)
    await state(page, 'live')
    expect(await shown()).toEqual({ name: '', userId: null })
    await page.locator('#json').fill('{"name": "Of Ada", "userId": 1}')
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'created notes/1')
    expect(data.state.notes).toEqual([{ name: 'Of Ada', userId: 1, id: 1 }])
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('email').fill(ADA.email)
    await logInOn(page, ADA.password)
    await place(page, '1–1 of 1')
    expect(await shown()).toEqual({ name: '' })
  },
)

testInBrowser('whoever may only read an owned list logs in before there is a new record', async () => {
  const { page } = await open(
    { data: { ...sampleData(), notes: [] }, owned: ['notes'], allow: ['GET /notes'] },
    { isLoggedIn: false, hash: '/notes' },
  )
  await state(page, 'live')
  await page.getByRole('button', { name: 'New record' }).click()
  await page.locator('#login').waitFor()
  expect(await page.locator('#editor[open]').count()).toBe(0)
})

testInBrowser(
  "what is another's, or not there any more, stays in its row, with the reason beside it",
  async () => {
    const { page, data } = await open({
      data: { ...sampleData(), orders: [{ id: 1, title: 'Of another', userId: 2 }] },
      owned: ['orders'],
    })
    await type(page, 0, 'title', 'Mine now')
    await (await cell(page, 0, 'title')).getByRole('alert').filter({ hasText: '403' }).waitFor()
    await page.keyboard.press('Escape')
    await showsText(page, 0, 'title', 'Of another')
    await rows(page).first().getByRole('button', { name: 'Delete' }).click()
    await said(page, /^403/)
    expect(await rows(page).count()).toBe(1)
    await page.route('**/orders/1', (route) => route.fulfill({ status: 404, json: {} }))
    await type(page, 0, 'title', 'Gone')
    await (await cell(page, 0, 'title')).getByRole('alert').filter({ hasText: '404: Not Found' }).waitFor()
    expect(data.state.orders).toMatchObject([{ title: 'Of another' }])
  },
)

testInBrowser(
  'what a schema refuses has its sentence beside the field, and what was typed stays',
  async () => {
    const { page, url, token } = await open({
      middlewares: [
        ({ method, body }, response, next) => {
          if (method === 'GET' || body.title !== '') return next()
          const sentence = 'The title must not be empty.'
          response.status(422).json({ message: sentence, error: sentence, errors: { title: [sentence] } })
        },
      ],
    })
    await (await cell(page, 0, 'title')).dblclick()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    const title = await cell(page, 0, 'title')
    await title
      .getByRole('alert')
      .filter({ hasText: /^The title must not be empty\.$/ })
      .waitFor()
    await page.locator('#said.refused').waitFor()
    // Who gives it up has nothing more to read of it.
    await page.keyboard.press('Escape')
    await page.locator('#said:not(.refused)').waitFor({ state: 'attached' })
    await title.dblclick()
    await title.locator('.edit').fill('Better')
    await page.keyboard.press('Enter')
    await showsText(page, 0, 'title', 'Better')
    expect(await read(url, '/orders/1', token)).toMatchObject({ title: 'Better' })
    await page.getByRole('button', { name: 'New record' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#editor [role=alert]', { hasText: 'title: The title must not be empty.' }).waitFor()
  },
)
