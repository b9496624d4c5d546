/** Lays out rows of cells, the first being the head, in columns: figures to the right, words to the left. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...lines] = rows
  const widths = head.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isFigures = head.map((_cell, column) => lines.some((line) => /^[\d>]/.test(line[column] ?? '')))
  const format = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isFigures[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [format(head), widths.map((width) => '-'.repeat(width)).join('  '), ...lines.map(format)].join('\n')
}
