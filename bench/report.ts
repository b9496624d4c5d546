import type { Rates } from './measure'
import type { Kind, Row } from './rows'

/** What one run of the benchmark has found of one row. */
interface RowResult extends Pick<Row, 'title' | 'size' | 'connections' | 'measured'> {
  rates: Rates
}

export interface Results {
  /** ISO 8601. */
  date: string
  node: string
  machine: string
  rows: RowResult[]
}

/** How many times as fast ours is, round by round: what slows the machine for a while slows both. */
export function ratioOf({ rates }: RowResult, other: Kind): number | undefined {
  const theirs = rates[other]
  return theirs && median(rates.ours?.map((rate, round) => rate / (theirs[round] ?? Number.NaN)) ?? [])
}

/** A line for people. */
export function describe(row: RowResult): string {
  const { title, size, connections, rates } = row
  const name = `${title} (${size.toLocaleString('en')}, ${connections})`.padEnd(48)
  const cells = Object.entries(rates).map(([kind, values]) => `${kind} ${format(row, median(values))}`)
  const others = Object.keys(rates).filter((kind): kind is Kind => kind !== 'ours')
  const ratios = others.map((kind) => `${formatRatio(ratioOf(row, kind) ?? Number.NaN)} of ${kind}`)
  return `${name}${[...cells, ...ratios].join('; ')}`
}

function format({ measured = 'rate', connections }: RowResult, rate: number): string {
  const isSlow = measured !== 'rate' || (connections === 1 && rate < 1000)
  return isSlow ? `${(1000 / rate).toPrecision(3)} ms` : `${Math.round(rate).toLocaleString('en')}/s`
}

/** A ratio with as many digits as mean something. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio >= 100 ? 0 : ratio >= 10 ? 1 : 2)}x`
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}
