import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createApp, listen } from '../server'
import { launchBrowser } from '../tests/support/browser'

const ROOT = path.join(__dirname, '..')

/**
 * Makes docs/screenshot.png: the page of `--docs` with the sample data, on the default port, while a cell is edited.
 */
async function makeScreenshot(): Promise<void> {
  const browser = await launchBrowser()
  const data = Object(JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8')))
  const { email, password } = Object([data.users].flat()[0])
  const server = await listen(createApp({ data, docs: true, live: true, log: false, title: 'db' }), {
    port: 33_000,
    host: 'localhost',
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 460 } })
    await page.goto(`http://localhost:33000/docs/data#email=${email}`)
    await page.getByLabel('password').fill(String(password))
    await page.keyboard.press('Enter')
    await page.locator('#live', { hasText: 'live' }).waitFor()
    const titles = page.locator('#table td:nth-child(2)')
    await titles.nth(1).dblclick()
    await page.keyboard.type('Edited by a double click')
    await page.keyboard.press('Enter')
    await page.locator('#said', { hasText: 'updated' }).waitFor()
    await titles.nth(0).dblclick()
    await writeFile(path.join(ROOT, 'docs/screenshot.png'), await page.screenshot())
  } finally {
    await server.close(0)
    await browser.close()
  }
}

makeScreenshot()
