import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createApp, listen } from '../server'
import { launchBrowser } from '../tests/support/browser'

const ROOT = path.join(__dirname, '..')

/**
 * Makes docs/screenshot.png: the page of `--docs` with the sample data, on the default port, after a request that needed the login.
 */
async function makeScreenshot(): Promise<void> {
  const browser = await launchBrowser()
  const data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
  const server = await listen(createApp({ data, docs: true, live: true, log: false }), {
    port: 33_000,
    host: 'localhost',
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 1080 } })
    await page.goto('http://localhost:33000/docs')
    const execute = async (name: string) => {
      const operation = page.locator(`#operations-${name}`)
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Execute' }).click()
      await operation.locator('.live-responses-table').waitFor()
      return operation
    }
    await execute('Login-logIn')
    const operation = await execute('blogs-createBlog')
    await operation.evaluate((part) => part.scrollIntoView())
    await writeFile(path.join(ROOT, 'docs/screenshot.png'), await page.screenshot())
  } finally {
    await server.close(0)
    await browser.close()
  }
}

makeScreenshot()
