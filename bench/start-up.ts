import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Child } from './child'
import { PROJECT } from './commands'
import { dataFile } from './data'
import { HOST } from './exchange'
import { freePort } from './free-port'
import type { Progress } from './progress'
import type { StartUpResult } from './row-results'
import { ratioOf } from './statistics'
import { newFolder } from './temporary-folder'

/** Number of blogs in the data file. */
const SIZE = 1_000

/** How much more time than json-server we may take. */
const TARGET = 1.3

/** Measures the time from the command that a person types to the first answer, in turn. */
export async function measureStartUp(rounds: number, progress: Progress): Promise<StartUpResult> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, dataFile(SIZE))
  const ours: number[] = []
  const jsonServer: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    progress.step('start-up, ours')
    ours.push(await timeToAnswer(['ts-node', 'server.ts', file]))
    progress.step('start-up, json-server')
    jsonServer.push(await timeToAnswer(['json-server', file]))
  }
  const ratio = ratioOf(ours, jsonServer)
  return { ours, jsonServer, ratio, target: { ratio: TARGET, met: ratio.median <= TARGET } }
}

/** Steps that `measureStartUp` will tell of. */
export function startUpSteps(rounds: number): number {
  return 2 * rounds
}

/** Milliseconds from the start of `npx` to the first 200. */
async function timeToAnswer(words: readonly string[]): Promise<number> {
  const port = await freePort()
  const start = performance.now()
  const child = new Child({
    program: process.platform === 'win32' ? 'npx.cmd' : 'npx',
    // A package that is missing should be an error, and not be fetched within the measured time.
    arguments: ['--no-install', ...words, '--host', HOST, '--port', String(port), '--quiet'],
    folder: PROJECT,
  })
  try {
    await child.answers(port, '/blogs/1')
    return performance.now() - start
  } finally {
    await child.end()
  }
}
