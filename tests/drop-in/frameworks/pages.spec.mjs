import { test as base, expect } from '@playwright/test'
import { mockFixtures } from 'json-server-bearer/playwright'

const { MOCK, SITE } = process.env
const MIA = { email: 'mia@example.com', password: 'sourdough' }
const test = base.extend(mockFixtures({ url: MOCK, user: MIA }))

/** The notes in a page as the server has made it, before any script has run. */
async function notesIn(response) {
  const html = await response.text()
  return Array.from(html.matchAll(/<li>(.*?)<\/li>/g), ([, text]) => text)
}

/** Waits until the others are here as well; this is in the main data, which all have in common. */
async function waitForEight(name) {
  await fetch(`${MOCK}/arrivals`, { method: 'POST', body: new URLSearchParams({ name }) })
  await expect.poll(async () => (await fetch(`${MOCK}/arrivals`)).json()).toHaveLength(8)
}

async function logIn(page) {
  await page.getByLabel('Email').fill(MIA.email)
  await page.getByLabel('Password').fill(MIA.password)
  await page.getByRole('button').click()
}

for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
  test(`the page of test ${name} has its own note`, async ({ page, mock }) => {
    await mock.reset({ notes: [{ id: 1, text: `of ${name}` }] })
    await waitForEight(name)
    expect(await notesIn(await page.goto('/'))).toEqual(['of the main data'])
    await logIn(page)
    await expect(page.getByRole('listitem')).toHaveText(`of ${name}`)
    expect(await notesIn(await page.goto('/'))).toEqual([`of ${name}`])
    expect(await notesIn(await page.goto('/?forward=nothing'))).toEqual(['of the main data'])
  })

test('a page that forwards the header has the data of the test before any login', async ({ page, mock }) => {
  await mock.reset({ notes: [{ id: 1, text: 'of this test' }] })
  expect(await notesIn(await page.goto('/?forward=header'))).toEqual(['of this test'])
})

test('an hour later, the timer of the page refreshes the session that has expired on the server', async ({
  page,
  mock,
}) => {
  await page.clock.install()
  await mock.reset({ notes: [{ id: 1, text: 'of this hour' }] })
  await page.goto('/')
  await logIn(page)
  await expect(page.getByRole('listitem')).toHaveText('of this hour')

  await mock.advance('61m')
  // Its cookies go along, and it is no page whose timers run.
  const expired = await page.request.get(SITE)
  expect(await expired.text()).toContain('Please log in')
  expect(await mock.requests({ path: '/refresh' })).toEqual([])

  await page.clock.fastForward('01:01:00')
  await expect.poll(() => mock.requests({ path: '/refresh' })).toMatchObject([{ status: 200 }])
  await expect(page.getByText(MIA.email)).toBeVisible()
  expect(await (await page.request.get(SITE)).text()).toContain(MIA.email)
})
