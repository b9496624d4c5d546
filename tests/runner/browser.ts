import { existsSync } from 'node:fs'
import path from 'node:path'
import { type BrowserServer, chromium } from 'playwright-core'

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
 * Finds the browser that the tests use.
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
  // For pages of another site.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
]

let launched: BrowserServer | undefined

/**
 * Launches one browser for all tests of a run. The environment variable BROWSER_ENDPOINT tells jest's workers
 * where it is, or BROWSER_PROBLEM why it could not be started. Without a browser there is neither.
 */
export async function launchBrowser(): Promise<void> {
  try {
    const executablePath = findBrowser()
    if (executablePath === undefined) return
    launched = await chromium.launchServer({ executablePath, args: FLAGS, timeout: 0 })
    process.env.BROWSER_ENDPOINT = launched.wsEndpoint()
  } catch (error) {
    process.env.BROWSER_PROBLEM = error instanceof Error ? error.message : String(error)
  }
}

export async function closeBrowser(): Promise<void> {
  await launched?.close()
}
