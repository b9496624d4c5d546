import { type Browser, chromium } from 'playwright-core'

/**
 * Connects the tests of a file to the browser that all share. Without a browser they are skipped with a note.
 *
 * @returns jest's `test` for tests that need the browser, and a function that gives the browser to them
 */
export function testsInBrowser(): { testInBrowser: jest.It; browser: () => Browser } {
  const { BROWSER_ENDPOINT, BROWSER_PROBLEM } = process.env
  const hasBrowser = BROWSER_ENDPOINT !== undefined || BROWSER_PROBLEM !== undefined
  let connected: Browser | undefined
  if (!hasBrowser)
    process.stderr.write(
      'No browser was found, so its tests are skipped: BROWSER_PATH can name a Chromium.\n',
    )
  else
    beforeAll(async () => {
      if (BROWSER_ENDPOINT === undefined) throw new Error(BROWSER_PROBLEM)
      connected = await chromium.connect(BROWSER_ENDPOINT)
    })
  // Its other contexts, of other files, stay.
  afterAll(() => connected?.close())
  return {
    testInBrowser: hasBrowser ? test : test.skip,
    browser: () => {
      if (connected === undefined) throw new Error('No browser is connected.')
      return connected
    },
  }
}
