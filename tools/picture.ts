import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pageScreenshot } from './page-screenshot'
import { terminalStart } from './terminal-start'
import { twoTests } from './two-tests'

/** The pictures of the README, by their files in docs/. */
const PICTURES = {
  'two-tests.svg': twoTests,
  'start.svg': terminalStart,
  'screenshot.png': pageScreenshot,
}

async function drawAll(): Promise<void> {
  // One after the other: two of them show the default port.
  for (const [file, draw] of Object.entries(PICTURES))
    await writeFile(path.join(__dirname, '../docs', file), await draw())
}

drawAll()
