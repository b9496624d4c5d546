import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The commands of browsers that are based on Chromium. */
const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
]

const IN_MACOS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const IN_WINDOWS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/**
 * The browser that the tests use.
 *
 * @returns the path of the executable: that in the environment variable BROWSER_PATH, or else the first found
 * in the usual places; undefined when there is none
 * @throws Error when BROWSER_PATH names nothing
 */
function findBrowser(): string | undefined {
  const { BROWSER_PATH } = process.env
  if (BROWSER_PATH === undefined) return usualPlaces(process.env).find((file) => existsSync(file))
  if (existsSync(BROWSER_PATH)) return BROWSER_PATH
  throw new Error(
    `BROWSER_PATH names "${BROWSER_PATH}", which does not exist. Name a browser, or leave it out.`,
  )
}

function usualPlaces({ PATH = '', ProgramFiles, 'ProgramFiles(x86)': x86, LOCALAPPDATA }: NodeJS.ProcessEnv) {
  return [
    ...PATH.split(path.delimiter).flatMap((folder) => COMMANDS.map((name) => path.join(folder, name))),
    ...IN_MACOS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
    ...[ProgramFiles, x86, LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => IN_WINDOWS.map((file) => path.join(folder, file))),
  ]
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
]

/**
 * Launches a browser for the tests of a file. Without a browser they are skipped with a note.
 *
 * @returns jest's `test` for tests that need the browser, and a function that gives the browser to them
 */
export function testsInBrowser(): { testInBrowser: jest.It; browser: () => Browser } {
  const executablePath = findBrowser()
  let launched: Browser | undefined
  if (executablePath === undefined)
    process.stderr.write(
      'No browser was found, so its tests are skipped: BROWSER_PATH can name a Chromium.\n',
    )
  else
    beforeAll(async () => {
      launched = await chromium.launch({ executablePath, args: FLAGS, timeout: 0 })
    })
  afterEach(async () => {
    for (const context of launched?.contexts() ?? []) await context.close()
  })
  afterAll(() => launched?.close())
  return {
    testInBrowser: executablePath === undefined ? test.skip : test,
    browser: () => {
      if (launched === undefined) throw new Error('The browser has not been launched.')
      return launched
    },
  }
}
