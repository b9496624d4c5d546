import type { Contestant, Row, ServerKind } from './row'
import { ratioOf, type Spread } from './statistics'

/** What was measured of one contestant in one row. */
export interface Sample extends Contestant {
  /** Answers per second, round by round. */
  rates: number[]
  /** The largest share of the time, 0 to 1, in which the load generator was at work. */
  busy: number
}

/** Ours against another: above 1, ours is faster. */
export interface Comparison extends Contestant {
  ratio: Spread
  target?: { ratio: number; met: boolean }
}

export interface RowResult {
  title: string
  connections: number
  ours: Sample
  others: Sample[]
  comparisons: Comparison[]
  inChart: boolean
}

export interface MemoryResult extends Contestant {
  /** Resident memory in bytes, after all requests of the scene. */
  bytes: number
}

export interface StartUpResult {
  /** Milliseconds from the command to the first 200, round by round. */
  ours: number[]
  jsonServer: number[]
  /** Time of ours by time of json-server: below 1, ours is faster. */
  ratio: Spread
  target: { ratio: number; met: boolean }
}

/** Everything that one run of the benchmark has found. */
export interface Results {
  /** ISO 8601. */
  date: string
  mode: 'full' | 'quick'
  node: string
  machine: string
  rows: RowResult[]
  memory: MemoryResult[]
  startUp: StartUpResult
}

/** Compares ours with the others, and both with the targets. */
export function rowResult(row: Row, ours: Sample, others: Sample[]): RowResult {
  const comparisons = others.map(({ kind, size, rates }): Comparison => {
    const ratio = ratioOf(ours.rates, rates)
    const target = row.targets?.find(({ against }: { against: ServerKind }) => against === kind)
    return {
      kind,
      size,
      ratio,
      ...(target && { target: { ratio: target.ratio, met: ratio.median >= target.ratio } }),
    }
  })
  const { workload, connections, inChart = false } = row
  return { title: workload.title, connections, ours, others, comparisons, inChart }
}
