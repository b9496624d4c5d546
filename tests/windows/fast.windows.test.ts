import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { newFolder, removeFolders } from '../support/data'
import { endAll, makeDrives, testOnWindows, WindowsProcess, windowsPath } from './wine'

const ROOT = path.join(__dirname, '../..')
const MINUTES = 60_000

beforeAll(makeDrives)
afterEach(endAll)
afterAll(removeFolders)

testOnWindows(
  'the fast tests pass, but for those of links, modes and signals',
  async () => {
    const folder = await newFolder()
    execFileSync(process.execPath, [path.join(__dirname, 'fast/compile.cjs'), folder])
    const report = path.join(folder, 'report.json')
    const own = (name: string) => windowsPath(path.join(__dirname, 'fast', name))
    const jest = await WindowsProcess.start(
      ROOT,
      [
        // A package may have another file for whoever can load modules of both kinds, and jest cannot.
        '--no-experimental-require-module',
        ...['--require', own('preload.cjs')],
        windowsPath(path.join(ROOT, 'node_modules/jest/bin/jest.js')),
        ...['--config', own('jest.config.cjs'), '--json', '--outputFile', windowsPath(report)],
      ],
      { COMPILED_TESTS: windowsPath(folder), JWT_SECRET: undefined },
    )
    await jest.ended()
    const text = await readFile(report, 'utf8').catch(() => jest.output())
    if (!text.startsWith('{')) throw new Error(text)
    const { testResults, numPassedTests }: Report = JSON.parse(text)
    expect(testResults.filter(({ status }) => status === 'failed').map(({ message }) => message)).toEqual([])
    expect(numPassedTests).toBeGreaterThan(4000)
  },
  30 * MINUTES,
)

/** What jest writes into a file. */
interface Report {
  numPassedTests: number
  testResults: { status: string; message: string }[]
}
