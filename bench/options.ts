import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Pace } from './measure'

export interface Options {
  mode: 'full' | 'quick'
  pace: Pace
  /** Rounds of the start-up measurement. */
  startUps: number
  /** Where the results are saved, if they are. */
  folder?: string
}

const HELP = `npm run bench [-- --quick] [-- --output FOLDER]

Measures this server against json-server 0.17.4, bare Express and node:http.

  --quick          the rows with targets only, within a minute; saves nothing unless --output is given
  --output FOLDER  where results.json and results.svg are saved [default: bench]
`

/**
 * Reads the command line.
 *
 * @returns undefined when the help was asked for, and has been printed
 * @throws TypeError for an unknown flag
 */
export function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      output: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return undefined
  }
  const folder = values.output === undefined ? undefined : path.resolve(values.output)
  if (values.quick) {
    return { mode: 'quick', pace: { rounds: 3, warmUpSeconds: 0.1, seconds: 0.3 }, startUps: 2, folder }
  }
  // Of a quick run nothing is saved by itself, because it would take the place of the figures in the README.
  const pace = { rounds: 3, warmUpSeconds: 0.2, seconds: 0.7 }
  return { mode: 'full', pace, startUps: 5, folder: folder ?? __dirname }
}
