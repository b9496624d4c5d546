import { escapeXml } from './escape-xml'

/** A stretch of a line that looks the same. */
interface Run {
  text: string
  /** The column where it begins. */
  column: number
  classes: readonly string[]
}

// All in pixels. A character is as wide as in Menlo and DejaVu Sans Mono; in another font it is stretched.
const CHARACTER = 8.43
const LINE = 20
const PADDING = 20

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

// A dark panel with light text: it can be read on a white page and on a black one.
const STYLE = `
    text { font: 14px ui-monospace, Menlo, "DejaVu Sans Mono", Consolas, monospace; fill: #e6edf3; white-space: pre }
    .panel { fill: #161b22; stroke: #6f7c89 }
    .bold { font-weight: bold }
    .dim { fill: #9198a1 }
    .italic { font-style: italic }
    .underline { text-decoration: underline }
    .black { fill: #9198a1 }
    .red { fill: #ff7b72 }
    .green { fill: #56d364 }
    .yellow { fill: #e3b341 }
    .blue { fill: #79c0ff }
    .magenta { fill: #d2a8ff }
    .cyan { fill: #76e3ea }
    .white { fill: #ffffff }`

/**
 * Draws what a program has printed on a terminal.
 *
 * @param title what the picture is called
 * @param output with escape sequences: those for bold, dim, italic, underlined and coloured text are drawn,
 *   and all others, such as those of links, are left out
 * @returns an SVG document
 */
export function drawTerminal(title: string, output: string): string {
  const lines = readLines(output)
  const columns = Math.max(...lines.flat().map(({ column, text }) => column + text.length))
  const width = Math.ceil(columns * CHARACTER) + 2 * PADDING
  const height = lines.length * LINE + 2 * PADDING
  const texts = lines.flatMap((runs, row) => runs.map((run) => drawRun(run, PADDING + row * LINE + 14)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escapeXml(title)}</title>
  <desc>${escapeXml(lines.map(toText).join('\n'))}</desc>
  <style>${STYLE}
  </style>
  <rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="8" class="panel"/>
${texts.join('\n')}
</svg>
`
}

/** A line as it stands in the terminal. */
function toText(runs: readonly Run[]): string {
  return runs.reduce((line, { text, column }) => line.padEnd(column) + text, '')
}

function drawRun({ text, column, classes }: Run, y: number): string {
  const x = (PADDING + column * CHARACTER).toFixed(1)
  const length = (text.length * CHARACTER).toFixed(1)
  const look = classes.length > 0 ? ` class="${classes.join(' ')}"` : ''
  return `  <text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${look}>${escapeXml(text)}</text>`
}

/** The lines without the empty ones at both ends. */
function readLines(output: string): Run[][] {
  const looks = new Set<string>()
  // Visible signs in the places of the control characters, which are hard to read in a pattern.
  const lines = output
    .replaceAll('\u001b', '␛')
    .replaceAll('\u0007', '␇')
    .split(/\r*\n/)
    .map((line) => readLine(line, looks))
  const isFull = (runs: Run[]) => runs.length > 0
  return lines.slice(lines.findIndex(isFull), lines.findLastIndex(isFull) + 1)
}

/** A look such as `␛[1m`, a link such as `␛]8;;address␛\`, any other sequence, or text. */
const PART = /␛\[(?<codes>[\d;]*)m|␛\].*?(?:␇|␛\\)|␛\[[\d;?]*[A-Za-z]|(?<text>[^␛]+)/g

/** @param looks the classes of what follows: a look lasts beyond the end of its line */
function readLine(line: string, looks: Set<string>): Run[] {
  const runs: Run[] = []
  let column = 0
  for (const { groups: { codes, text } = {} } of line.matchAll(PART)) {
    if (codes !== undefined) for (const code of codes.split(';')) change(looks, Number(code))
    if (text === undefined) continue
    if (text.trim() !== '') runs.push({ text, column, classes: [...looks] })
    column += text.length
  }
  return runs
}

/**
 * Follows a code of "Select Graphic Rendition" (ECMA-48, 8.3.117); a bright colour is drawn as the plain one.
 */
function change(looks: Set<string>, code: number): void {
  const isColour = (code >= 30 && code <= 39) || (code >= 90 && code <= 97)
  const ended = isColour ? COLOURS : (ENDS[code] ?? [])
  for (const look of code === 0 ? [...looks] : ended) looks.delete(look)
  const begun = isColour ? COLOURS[code % 10] : BEGINS[code]
  if (begun !== undefined) looks.add(begun)
}

const BEGINS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' }
const ENDS: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
}
