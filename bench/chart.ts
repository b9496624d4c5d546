import { formatRatio, type Results, ratioOf } from './report'

/** One bar: how many times as fast as json-server. */
interface Bar {
  label: string
  ratio: number
}

// All in pixels.
const LABELS = 400
const PLOT = 430
const VALUES = 70
const WIDTH = LABELS + PLOT + VALUES
const BAR = 16
const ROW = 26
const TOP = 56
const BOTTOM = 34

// Greys and colours of middle brightness: they can be read on white and on black.
const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: #6f7c89 }
    .title { font-size: 15px; font-weight: 600 }
    .small { font-size: 11px }
    .grid { stroke: #6f7c89; stroke-opacity: 0.3 }
    .unit { stroke: #6f7c89 }
    .faster { fill: #2f81f7 }
    .slower { fill: #d9822b }`

/**
 * A bar chart, as SVG, of the rows that stand for the rest: how many times as fast as json-server ours is.
 */
export function drawChart(results: Results): string {
  const bars = barsOf(results)
  const height = TOP + bars.length * ROW + BOTTOM
  const exponents = bars.map(({ ratio }) => Math.log10(ratio))
  const lowest = Math.floor(Math.min(0, ...exponents))
  const highest = Math.ceil(Math.max(1, ...exponents))
  const x = (ratio: number): number => LABELS + (PLOT * (Math.log10(ratio) - lowest)) / (highest - lowest)
  const powers = Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index))
  const description = bars.map(({ label, ratio }) => `${label}: ${formatRatio(ratio)}`).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>Speed against json-server 0.17.4</title>
  <desc>${escapeXml(description)}</desc>
  <style>${STYLE}
  </style>
  <text class="title" x="8" y="22">Times as fast as json-server 0.17.4 (= 1x)</text>
  <text class="small" x="8" y="40">${escapeXml(`Logarithmic. Node ${results.node}, ${results.machine}, ${results.date.slice(0, 10)}`)}</text>
${powers.map((power) => drawGridLine(x(power), height, power)).join('\n')}
${bars.map((bar, index) => drawBar(bar, TOP + index * ROW, x)).join('\n')}
</svg>
`
}

function barsOf({ rows }: Results): Bar[] {
  const bars = rows.flatMap((row) => {
    const { title, size, connections } = row
    const ratio = ratioOf(row, 'json-server')
    const label = `${title} (${size.toLocaleString('en')} blogs, ${connections} conn.)`
    return ratio === undefined ? [] : [{ label, ratio }]
  })
  return bars.sort((one, other) => other.ratio - one.ratio)
}

function drawGridLine(x: number, height: number, power: number): string {
  const bottom = height - BOTTOM
  return `  <path class="${power === 1 ? 'unit' : 'grid'}" d="M${round(x)} ${TOP - 4}V${bottom}"/>
  <text class="small" x="${round(x)}" y="${bottom + 16}" text-anchor="middle">${power}x</text>`
}

function drawBar({ label, ratio }: Bar, y: number, x: (ratio: number) => number): string {
  const [left, right] = ratio >= 1 ? [x(1), x(ratio)] : [x(ratio), x(1)]
  const middle = y + BAR / 2 + 5
  return `  <text x="${LABELS - 12}" y="${middle}" text-anchor="end">${escapeXml(label)}</text>
  <rect class="${ratio >= 1 ? 'faster' : 'slower'}" x="${round(left)}" y="${y}" width="${round(right - left)}" height="${BAR}" rx="2"/>
  <text x="${round(right + 6)}" y="${middle}">${formatRatio(ratio)}</text>`
}

function round(pixels: number): string {
  return String(Math.round(pixels * 10) / 10)
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
