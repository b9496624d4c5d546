import { escapeXml } from './escape-xml'

/** What a test has sent in its sandbox, and what came back: line for line at the same time as the others. */
export interface TestRun {
  sandbox: string
  lines: { method: string; path: string; body?: string; status: number; result: string }[]
}

// All in pixels.
const PANEL = 430
const GAP = 100
const TOP = 44
const ROW = 48
const FOOT = 30
const WIDTH = 2 * PANEL + GAP

// A dark panel with light text: it can be read on a white page and on a black one.
const STYLE = `
    text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3 }
    .panel { fill: #161b22; stroke: #6f7c89 }
    .name { fill: #79c0ff }
    .body { fill: #8b949e; font-size: 12px }
    .good { fill: #56d364 }
    .bad { fill: #ff7b72 }
    .axis { stroke: #6f7c89; stroke-width: 2; fill: none }
    .moment { stroke: #6f7c89; stroke-dasharray: 3 4 }
    .dot { fill: #79c0ff }
    .note { fill: #6f7c89; font-size: 13px; text-anchor: middle }`

/** Two tests side by side on one axis of time, as SVG. */
export function drawTests(runs: readonly TestRun[]): string {
  const rows = Math.max(...runs.map(({ lines }) => lines.length))
  const panelHeight = TOP + rows * ROW + 12
  const height = panelHeight + FOOT
  const description = runs
    .map(({ sandbox, lines }) => `${sandbox}: ${lines.map(toText).join(', ')}`)
    .join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>Two tests at the same time on one server: both read /blogs, and only one gets a 503</title>
  <desc>${escapeXml(description)}</desc>
  <style>${STYLE}
  </style>
${runs.map((run, index) => drawPanel(run, index * (PANEL + GAP), panelHeight)).join('\n')}
${drawTime(rows, panelHeight)}
  <text x="${WIDTH / 2}" y="${height - 8}" class="note">One server. The two requests of a row are under way at the same time.</text>
</svg>
`
}

function drawPanel({ sandbox, lines }: TestRun, left: number, height: number): string {
  const x = left + 18
  const drawn = lines.flatMap(({ method, path, body, status, result }, index) => {
    const y = TOP + index * ROW + 18
    const sent = `${method.padEnd(4)} ${path}`
    return [
      `  <text x="${x}" y="${y}" xml:space="preserve">${escapeXml(sent)}</text>`,
      `  <text x="${left + 280}" y="${y}" class="${status < 400 ? 'good' : 'bad'}">${escapeXml(`${status} ${result}`.trim())}</text>`,
      ...(body === undefined
        ? []
        : [`  <text x="${x}" y="${y + 18}" class="body">${escapeXml(body)}</text>`]),
    ]
  })
  return `  <rect x="${left + 1}" y="1" width="${PANEL - 2}" height="${height - 2}" rx="8" class="panel"/>
  <text x="${x}" y="28" class="name">X-Sandbox: ${escapeXml(sandbox)}</text>
${drawn.join('\n')}`
}

/** The axis of time between two panels, with a moment for each row. */
function drawTime(rows: number, height: number): string {
  const x = WIDTH / 2
  const moments = Array.from({ length: rows }, (_, row) => {
    const y = TOP + row * ROW + 13
    return `  <path d="M${PANEL} ${y} H${PANEL + GAP}" class="moment"/>
  <circle cx="${x}" cy="${y}" r="5" class="dot"/>`
  })
  return `  <text x="${x}" y="28" class="note">time</text>
  <path d="M${x} 36 V${height - 4} m-5 -7 l5 7 l5 -7" class="axis"/>
${moments.join('\n')}`
}

function toText({ method, path, status, result }: TestRun['lines'][number]): string {
  return `${method} ${path} gets ${status} ${result}`.trim()
}
