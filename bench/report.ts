import { formatRatio, integer, nameOf, percent, rate, spread, verdict } from './format'
import type { Comparison, Results, RowResult, StartUpResult } from './row-results'
import { spreadOf } from './statistics'
import { formatTable } from './table'

/** Prints all that was found, for people. */
export function printResults(results: Results): void {
  console.log(`Node ${results.node}, ${results.machine}; medians, and lowest to highest of the rounds.\n`)
  console.log(requestTable(results.rows))
  console.log(`\n${startUpLine(results.startUp)}\n`)
  console.log(memoryTable(results))
  console.log(`\n${generatorLine(results.rows)}`)
}

function requestTable(rows: readonly RowResult[]): string {
  const head = [
    'request',
    'blogs',
    'conn.',
    'ours',
    'other',
    'compared with',
    'ratio',
    'spread',
    'target',
    'generator',
  ]
  const lines = rows.flatMap((row) =>
    row.comparisons.length === 0
      ? [[...rowCells(row), '', '', '', '', '', percent(row.ours.busy)]]
      : row.comparisons.map((comparison, index) => [
          ...rowCells(row),
          ...comparisonCells(row, comparison, index),
        ]),
  )
  return formatTable([head, ...lines])
}

function rowCells({ title, connections, ours }: RowResult): string[] {
  return [title, integer(ours.size), String(connections), `${rate(ours.rates)}/s`]
}

function comparisonCells(row: RowResult, comparison: Comparison, index: number): string[] {
  const other = row.others[index]
  const isOtherSize = comparison.size !== row.ours.size
  return [
    other === undefined ? '' : `${rate(other.rates)}/s`,
    isOtherSize ? nameOf(comparison) : comparison.kind,
    formatRatio(comparison.ratio.median),
    spread(comparison.ratio),
    comparison.target === undefined
      ? ''
      : `>= ${formatRatio(comparison.target.ratio)} ${verdict(comparison.target)}`,
    percent(row.ours.busy),
  ]
}

function startUpLine({ ours, jsonServer, ratio, target }: StartUpResult): string {
  const milliseconds = (values: readonly number[]): string => `${integer(spreadOf(values).median)} ms`
  return (
    `Start-up to the first 200: ours ${milliseconds(ours)}, json-server ${milliseconds(jsonServer)}: ` +
    `${formatRatio(ratio.median)} the time (${spread(ratio)}), target <= ${formatRatio(target.ratio)} ${verdict(target)}.`
  )
}

function memoryTable({ memory }: Results): string {
  const lines = memory.map(({ kind, size, bytes }) => [kind, integer(size), `${integer(bytes / 1e6)} MB`])
  return formatTable([['memory after the run', 'blogs', 'resident'], ...lines])
}

/** How one can tell that the servers were measured, and not the load generator. */
function generatorLine(rows: readonly RowResult[]): string {
  const busiest = Math.max(...rows.map(({ ours }) => ours.busy))
  const ceilings = rows.flatMap(({ title, connections, ours, others }) =>
    others
      .filter(({ kind }) => kind === 'node:http')
      .map(
        ({ rates, busy }) =>
          `  ${title}, ${connections} conn.: ${rate(rates)}/s from node:http, generator ${percent(busy)} busy ` +
          `(ours: ${rate(ours.rates)}/s, ${percent(ours.busy)})`,
      ),
  )
  return [
    `While ours was measured, the load generator worked ${percent(busiest)} of the time at most: for the rest it waited`,
    'for the server. What it gets out of a server that does nothing:',
    ...ceilings,
  ].join('\n')
}
