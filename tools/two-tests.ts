import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openSandbox } from '../lib/testing'
import { createApp, listen } from '../server'
import { drawTests, type TestRun } from './draw-tests'

const ROOT = path.join(__dirname, '..')

/**
 * Two tests at once on one server with the shipped data, each in its own sandbox, as a picture. Everything
 * that it shows was really sent and received, and what stands in one row was sent at the same time.
 *
 * @returns an SVG document
 */
export async function twoTests(): Promise<string> {
  const data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
  const app = createApp({ data, sandboxes: true, live: true, log: false })
  const server = await listen(app, { port: 0, host: '127.0.0.1' })
  try {
    const url = `http://127.0.0.1:${server.port}`
    const tests = await Promise.all([
      begin(url, 'a-new-blog', [
        ['GET', '/blogs'],
        ['POST', '/blogs', { title: 'Mine' }],
        ['GET', '/blogs'],
      ]),
      begin(url, 'an-outage', [
        ['PUT', '/__sandbox/faults', [{ path: '/blogs', status: 503, times: 1 }]],
        ['GET', '/blogs'],
        ['GET', '/blogs'],
      ]),
    ])
    const runs: TestRun[] = tests.map(({ sandbox }) => ({ sandbox, lines: [] }))
    for (let row = 0; row < 3; row += 1) {
      const lines = await Promise.all(tests.map(({ send }) => send(row)))
      for (const [index, line] of lines.entries()) runs[index]?.lines.push(...line)
    }
    return drawTests(runs)
  } finally {
    await server.close(0)
  }
}

/** Logs in to a sandbox. `send` sends one of the test's requests there, and notes what came back. */
async function begin(url: string, sandbox: string, requests: [string, string, unknown?][]) {
  const user = { email: 'mia@example.com', password: 'sourdough' }
  const opened = await openSandbox({ url, name: sandbox, user })
  const headers = { ...opened.headers, 'Content-Type': 'application/json' }
  const send = async (row: number): Promise<TestRun['lines']> =>
    Promise.all(
      requests.slice(row, row + 1).map(async ([method, target, content]) => {
        const body = content === undefined ? undefined : JSON.stringify(content)
        const response = await fetch(url + target, { method, headers, body })
        const result = describe(await response.text())
        return { method, path: target, body, status: response.status, result }
      }),
    )
  return { sandbox, send }
}

/** How many blogs there are, or which one it is; nothing for other responses. */
function describe(text: string): string {
  if (text === '') return ''
  const { blogs, id } = JSON.parse(text)
  return Array.isArray(blogs) ? `${blogs.length} blogs` : id === undefined ? '' : `id ${id}`
}
