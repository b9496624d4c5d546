import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import { drawChart } from './chart'
import { measureScene } from './measure'
import { type Options, readOptions } from './options'
import { fullPlan, quickPlan } from './plan'
import { Progress } from './progress'
import { printResults } from './report'
import type { Results } from './row-results'
import { measureStartUp, startUpSteps } from './start-up'

async function bench({ mode, pace, startUps, folder }: Options): Promise<void> {
  const results = await measure({ mode, pace, startUps })
  printResults(results)
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(path.join(folder, 'results.svg'), drawChart(results))
  console.log(`\nSaved as results.json and results.svg in ${folder}.`)
}

async function measure({ mode, pace, startUps }: Options): Promise<Results> {
  const plan = mode === 'quick' ? quickPlan() : fullPlan()
  const measurements = plan.flat().flatMap(({ contestants }) => contestants).length * pace.rounds
  const progress = new Progress(measurements + startUpSteps(startUps))
  const [processor] = cpus()
  const results: Results = {
    date: new Date().toISOString(),
    mode,
    node: process.version,
    machine: `${cpus().length} x ${processor?.model.trim() ?? 'unknown processor'}, ${process.platform}`,
    rows: [],
    memory: [],
    startUp: await measureStartUp(startUps, progress),
  }
  for (const scene of plan) {
    const { rows, memory } = await measureScene(scene, pace, progress)
    results.rows.push(...rows)
    results.memory.push(...memory)
  }
  progress.end()
  return results
}

async function main(): Promise<void> {
  try {
    const options = readOptions()
    if (options !== undefined) await bench(options)
  } catch (error) {
    console.error(`\nThe benchmark was ended. ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}

main()
