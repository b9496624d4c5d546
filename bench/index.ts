import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measure, type Pace } from './measure'
import { describe, HEAD, type Results } from './report'
import { type Kind, ROWS } from './rows'
import { build, fetchBeta } from './server'

/**
 * Measures this server beside json-server 0.17.4, json-server 1.0 beta and bare Express, and prints a
 * table: in brackets, how many times as fast this server is. `--quick` is shorter, and `--only WORDS`
 * takes the rows with these words.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } })
  const { quick = false, only = '' } = values
  const results = await run(quick ? { rounds: 3, duration: 300 } : { rounds: 5, duration: 1000 }, only)
  // A part of the rows must not take the place of the figures in the documentation.
  if (quick || only !== '') return
  writeFileSync(path.join(__dirname, 'results.json'), `${JSON.stringify(results, null, 1)}\n`)
  console.log('\nSaved as bench/results.json. The table above is that of docs/speed.md.')
}

async function run(pace: Pace, only: string): Promise<Results> {
  const [processor] = cpus()
  const machine = `${cpus().length} x ${processor?.model.trim() ?? 'unknown processor'}, ${process.platform}`
  const results: Results = { date: new Date().toISOString(), node: process.version, machine, rows: [] }
  console.log(`Node ${results.node}, ${machine}; medians of ${pace.rounds} rounds.\n`)
  build()
  const hasBeta = fetchBeta()
  if (!hasBeta) console.log('json-server 1.0 beta could not be fetched by npm, so it is left out.\n')
  console.log(HEAD)
  for (const row of ROWS.filter(({ title }) => title.includes(only))) {
    const kinds: Kind[] = ['ours', ...row.others.filter((kind) => hasBeta || kind !== 'json-server 1.0 beta')]
    const { title, size, connections, measured } = row
    const result = { title, size, connections, measured, rates: await measure(row, kinds, pace) }
    results.rows.push(result)
    console.log(describe(result))
  }
  return results
}

main().catch((error: unknown) => {
  console.error(`\nThe benchmark has stopped. ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
