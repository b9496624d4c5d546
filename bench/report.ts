import type { Rates } from './measure'
import type { Kind, Row } from './rows'

/** The columns of figures. */
const COLUMNS: readonly Kind[] = [
  'ours',
  'json-server',
  'json-server 1.0 beta',
  'bare Express',
  'ours in a sandbox',
]

/** The head of the table, as Markdown. */
export const HEAD = `| measured (blogs, connections) | ${COLUMNS.join(' | ')} |\n${'|---'.repeat(COLUMNS.length + 1)}|`

/** A row of the table: the figure of each server, and how many times as fast ours is. */
export function describe(row: Row, rates: Rates): string {
  const { title, size, connections } = row
  const cells = COLUMNS.map((kind) => describeCell(row, rates, kind))
  return `| ${title} (${size.toLocaleString('en')}, ${connections}) | ${cells.join(' | ')} |`
}

function describeCell(row: Row, rates: Rates, kind: Kind): string {
  const { ours = [], [kind]: found } = rates
  if (found === undefined) return ''
  const figure = format(row, median(found))
  // Round by round: what slows the machine for a while slows both.
  const ratio = median(ours.map((rate, round) => rate / (found[round] ?? Number.NaN)))
  return kind === 'ours' ? figure : `${figure} (${formatRatio(ratio)})`
}

function format({ measured = 'rate', connections }: Row, rate: number): string {
  const isSlow = measured !== 'rate' || (connections === 1 && rate < 1000)
  return isSlow
    ? `${Number((1000 / rate).toPrecision(3)).toLocaleString('en')} ms`
    : `${Math.round(rate).toLocaleString('en')}/s`
}

/** A ratio with as many digits as mean something. */
function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio >= 100 ? 0 : ratio >= 10 ? 1 : 2)}x`
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}
