import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openSandbox } from '../lib/testing'
import { createApp, listen } from '../server'
import { drawTests, type TestRun } from './draw-tests'

const ROOT = path.join(__dirname, '..')

/**
 * Two tests at once on one server with the shipped data, each in its own sandbox, as a picture. Everything
 * that it shows was really sent and received.
 *
 * @returns an SVG document
 */
export async function twoTests(): Promise<string> {
  const data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
  const app = createApp({ data, sandboxes: true, live: true, log: false })
  const server = await listen(app, { port: 0, host: '127.0.0.1' })
  try {
    const url = `http://127.0.0.1:${server.port}`
    const runs = await Promise.all([
      run(url, 'a-new-blog', [
        ['GET', '/blogs'],
        ['POST', '/blogs', { title: 'Mine' }],
        ['GET', '/blogs'],
      ]),
      run(url, 'an-outage', [
        ['PUT', '/__sandbox/faults', [{ path: '/blogs', status: 503, times: 1 }]],
        ['GET', '/blogs'],
        ['GET', '/blogs'],
      ]),
    ])
    return drawTests(runs)
  } finally {
    await server.close(0)
  }
}

/** Logs in to a sandbox, sends the requests of one test there, and notes what came back. */
async function run(url: string, sandbox: string, requests: [string, string, unknown?][]): Promise<TestRun> {
  const user = { email: 'mia@example.com', password: 'sourdough' }
  const opened = await openSandbox({ url, name: sandbox, user })
  const headers = { ...opened.headers, 'Content-Type': 'application/json' }
  const lines: TestRun['lines'] = []
  for (const [method, target, content] of requests) {
    const body = content === undefined ? undefined : JSON.stringify(content)
    const response = await fetch(url + target, { method, headers, body })
    const text = await response.text()
    lines.push({ method, path: target, body, status: response.status, result: describe(text) })
  }
  return { sandbox, lines }
}

/** How many blogs there are, or which one it is; nothing for other responses. */
function describe(text: string): string {
  if (text === '') return ''
  const { blogs, id } = JSON.parse(text)
  return Array.isArray(blogs) ? `${blogs.length} blogs` : id === undefined ? '' : `id ${id}`
}
