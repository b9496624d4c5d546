import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** The commands of browsers that are based on Chromium. */
const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
]

export const NO_BROWSER = 'No browser was found: BROWSER_PATH can name a Chromium.'

/** The executable that the environment variable BROWSER_PATH names, or else the first command that is found. */
function findBrowser(): string | undefined {
  const { BROWSER_PATH, PATH = '' } = process.env
  if (BROWSER_PATH !== undefined) return BROWSER_PATH
  return PATH.split(path.delimiter)
    .flatMap((folder) => COMMANDS.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file))
}

/** A browser that sends no requests on its own. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // For pages of another site.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

/** How a browser is started; undefined where there is none. */
export function browserOptions(): LaunchOptions | undefined {
  const executablePath = findBrowser()
  return executablePath === undefined ? undefined : { executablePath, args: FLAGS, timeout: 0 }
}

/** @throws Error when there is no browser, or it cannot be started */
export async function launchBrowser(): Promise<Browser> {
  const options = browserOptions()
  if (options === undefined) throw new Error(NO_BROWSER)
  return chromium.launch(options)
}

/**
 * Launches a browser for the tests of a file. Where there is none, they are skipped with a note.
 *
 * @returns jest's `test` for tests that need the browser, and a function that gives the browser to them
 */
export function testsInBrowser(): { testInBrowser: jest.It; browser: () => Browser } {
  let launched: Browser | undefined
  const hasBrowser = findBrowser() !== undefined
  if (hasBrowser)
    beforeAll(async () => {
      launched = await launchBrowser()
    })
  else process.stderr.write(`${NO_BROWSER} Its tests are skipped.\n`)
  afterAll(() => launched?.close())
  return {
    testInBrowser: hasBrowser ? test : test.skip,
    browser: () => {
      if (launched === undefined) throw new Error('No browser is running.')
      return launched
    },
  }
}
