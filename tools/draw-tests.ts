import { escapeXml } from './escape-xml'

/** What a test has sent in its sandbox, in its order, and what came back. */
export interface TestRun {
  sandbox: string
  lines: { method: string; path: string; body?: string; status: number; result: string }[]
}

// All in pixels.
const PANEL = 470
const GAP = 20
const TOP = 44
const ROW = 48
const WIDTH = 2 * PANEL + GAP

// A dark panel with light text: it can be read on a white page and on a black one.
const STYLE = `
    text { font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3 }
    .panel { fill: #161b22; stroke: #6f7c89 }
    .name { fill: #79c0ff }
    .body { fill: #8b949e; font-size: 12px }
    .good { fill: #56d364 }
    .bad { fill: #ff7b72 }`

/** Tests side by side, as SVG. */
export function drawTests(runs: readonly TestRun[]): string {
  const rows = Math.max(...runs.map(({ lines }) => lines.length))
  const height = TOP + rows * ROW + 12
  const description = runs
    .map(({ sandbox, lines }) => `${sandbox}: ${lines.map(toText).join(', ')}`)
    .join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>Two tests at once on one server: both read /blogs, and only one gets a 503</title>
  <desc>${escapeXml(description)}</desc>
  <style>${STYLE}
  </style>
${runs.map((run, index) => drawPanel(run, index * (PANEL + GAP), height)).join('\n')}
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
      `  <text x="${left + 290}" y="${y}" class="${status < 400 ? 'good' : 'bad'}">${escapeXml(`${status} ${result}`.trim())}</text>`,
      ...(body === undefined
        ? []
        : [`  <text x="${x}" y="${y + 18}" class="body">${escapeXml(body)}</text>`]),
    ]
  })
  return `  <rect x="${left + 1}" y="1" width="${PANEL - 2}" height="${height - 2}" rx="8" class="panel"/>
  <text x="${x}" y="28" class="name">X-Sandbox: ${escapeXml(sandbox)}</text>
${drawn.join('\n')}`
}

function toText({ method, path, status, result }: TestRun['lines'][number]): string {
  return `${method} ${path} gets ${status} ${result}`.trim()
}
