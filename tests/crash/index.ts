import { KEPT } from '../support/kept-data'
import { killAll } from '../support/process'
import { SAVES, saveDuringWrites } from './editor-saves'
import { crashRound, KINDS } from './harness'

const ROUNDS = 25
const BALLAST = 3_000_000
const CLIENTS = 16
const EDITOR_SAVES = 500

/**
 * The long form of the crash tests: `npm run test:crash`. Ends with 1 when a change was lost or anything
 * broke.
 */
async function main(): Promise<void> {
  const problems = [...(await killServers()), ...(await saveAsEditors())]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

async function killServers(): Promise<string[]> {
  const table = []
  const problems: string[] = []
  for (const [place, keep] of KEPT)
    for (const kind of KINDS) {
      const row = { place, kind: kind.name, kills: 0, acknowledged: 0, refused: 0, lost: 0, errors: 0 }
      for (let round = 0; round < ROUNDS; round += 1) {
        const result = await crashRound({
          kind,
          keep,
          clients: CLIENTS,
          round,
          ballast: BALLAST,
          random: Math.random,
        })
        row.kills += 1
        row.acknowledged += result.acknowledged
        row.refused += result.refused
        row.lost += result.losses.length
        row.errors += result.errors.length
        const found = [...result.losses, ...result.errors].map(
          (text) => `${place}, ${kind.name}, round ${round + 1}: ${text}`,
        )
        problems.push(...found)
        const verdict = found.length === 0 ? 'nothing lost' : found.join('; ')
        console.log(
          `${place}, ${kind.name} ${round + 1}/${ROUNDS}: ${result.acknowledged} writes acknowledged, ${verdict}`,
        )
      }
      table.push(row)
    }
  console.table(table)
  return problems
}

async function saveAsEditors(): Promise<string[]> {
  const table = []
  const problems: string[] = []
  for (const save of SAVES) {
    const { errors, ...texts } = await saveDuringWrites({ save, count: EDITOR_SAVES, random: Math.random })
    table.push({ ...save, saves: EDITOR_SAVES, ...texts, errors: errors.length })
    problems.push(...errors.map((error) => `${save.way}, pause ${save.pause} ms: ${error}`))
  }
  console.table(table)
  return problems
}

process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
main()
  .catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
  .finally(killAll)
