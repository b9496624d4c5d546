import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { sampleData } from '../support/data'
import { serve } from '../support/http'

const { testInBrowser, browser } = testsInBrowser()

testInBrowser('the home page shows the resources and the rules, on a loopback address', async () => {
  const routes = { '/articles/:id': '/posts/:id' }
  const server = await serve(createApp({ data: sampleData(), allow: 'all', routes, log: false }))
  const page = await browser().newPage()
  // The page loads its icons from there, which no test needs.
  await page.route(/fontawesome/, (route) => route.abort())
  const failed: string[] = []
  page.on('response', (response) => response.ok() || failed.push(response.url()))
  try {
    await page.goto(server.url)
    await page.getByRole('link', { name: '/posts', exact: true }).waitFor()
    await page.getByRole('cell', { name: '/articles/:id', exact: true }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('flex')
    expect(failed).toEqual([])
  } finally {
    await page.close()
    await server.close()
  }
})
