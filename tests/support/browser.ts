import { existsSync } from 'node:fs'
import path from 'node:path'

/** The commands of browsers that are Chromium inside. */
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
 * @returns the path of the executable: what the environment variable BROWSER_PATH names, or else the first that is where
 * browsers usually are; undefined when there is none
 * @throws Error when BROWSER_PATH names nothing
 */
export function findBrowser(): string | undefined {
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
