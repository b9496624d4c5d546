import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measure } from './measure'
import { describe, HEAD } from './report'
import { type Kind, ROWS } from './rows'
import { build, fetchBeta } from './server'

/**
 * Measures this server beside json-server 0.17.4, json-server 1.0 beta and bare Express, and prints a table, of
 * which CONTRIBUTING.md has ten rows. `--quick` is shorter, and `--only WORDS` takes the rows with these words.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } })
  const { quick = false, only = '' } = values
  const pace = quick ? { rounds: 3, duration: 300 } : { rounds: 5, duration: 1000 }
  const [processor] = cpus()
  const machine = `${cpus().length} x ${processor?.model.trim() ?? 'unknown processor'}, ${process.platform}`
  console.log(`Node ${process.version}, ${machine}; medians of ${pace.rounds} rounds.\n`)
  build()
  const hasBeta = fetchBeta()
  if (!hasBeta) console.log('json-server 1.0 beta could not be fetched by npm, so it is left out.\n')
  console.log(HEAD)
  for (const row of ROWS.filter(({ title }) => title.includes(only))) {
    const kinds: Kind[] = ['ours', ...row.others.filter((kind) => hasBeta || kind !== 'json-server 1.0 beta')]
    console.log(describe(row, await measure(row, kinds, pace)))
  }
}

main().catch((error: unknown) => {
  console.error(`\nThe benchmark has stopped. ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
})
