import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, askJson } from '../support/http'
import { client, freePort, killAll, Launched, PROGRAMS, ROOT, RUNS_OURS } from '../support/process'

const page = readFileSync(path.join(ROOT, 'docs/testing.md'), 'utf8')

/** The code of one language under a heading of the page. */
function code(heading: string, language: string): string {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const found = [...own.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  )
  if (found.length === 0) throw new Error(`Under "${heading}" there is no ${language} any more.`)
  return found.at(-1) ?? ''
}

const START = 'Start the mock, and wait for it'
const SEED = JSON.stringify(sampleData())

/** A test of the project, in which the mock has to be up. */
const OWN_TEST = `const test = require('node:test')
test('the mock responds', async () => {
  const response = await fetch('http://localhost:33000/blogs')
  if (!response.ok) throw new Error('It does not.')
  console.log('The test has run.')
})`

const PLAYWRIGHT_TEST = `import { expect, test } from '@playwright/test'
test('the mock responds', async ({ request }) => {
  expect((await request.get('http://localhost:33000/blogs')).ok()).toBe(true)
})`

const SUPERTEST = `const request = require('supertest')
const { createApp } = require(${JSON.stringify(PROGRAMS.ours[0])})`

let folder: string

/** Runs a command line in the project, and gives what it prints. */
async function run(line: string): Promise<string> {
  const env = {
    ...process.env,
    CI: 'true',
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    PORT: '',
    JEST_WORKER_ID: undefined,
  }
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', line], { cwd: folder, env }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${line} has failed:\n${stdout}${stderr}`)
    },
  )
  return stdout + stderr
}

/**
 * Writes the files with another port in the place of the usual one, and runs the command lines; again with
 * another one if that has been taken in the meantime.
 */
async function runAtFreePort(files: Record<string, string>, lines: readonly string[]): Promise<string> {
  const port = String(await freePort())
  for (const [name, text] of Object.entries(files))
    await writeFile(path.join(folder, name), text.replaceAll('33000', port))
  try {
    let printed = ''
    for (const line of lines) printed += await run(line)
    return printed
  } catch (error) {
    if (/is taken|is already used/.test(String(error))) return runAtFreePort(files, lines)
    throw error
  }
}

/** What the page prints, with the port, which the page leaves out because it is the default. */
function withPort(text: string): string {
  return text.replaceAll('json-server-bearer db.json', 'json-server-bearer db.json --port 33000')
}

const [, install = '', ...more] = /a job runs `(.*?)` and `(.*?)`/.exec(page) ?? []
const printed = JSON.parse(code(START, 'json'))
const manifest = withPort(
  JSON.stringify({
    private: true,
    ...printed,
    devDependencies: {
      'json-server-bearer': 'file:installed',
      '@playwright/test': '1',
      'start-server-and-test': '3',
      supertest: '7',
      'wait-on': '9',
    },
  }),
)

beforeAll(async () => {
  folder = await newFolder({
    'db.json': SEED,
    'seed.json': SEED,
    'own.test.js': OWN_TEST,
    'package.json': manifest,
    'installed/package.json': JSON.stringify({
      name: 'json-server-bearer',
      version: '0.0.0',
      bin: 'bin.cjs',
    }),
    'installed/bin.cjs': RUNS_OURS,
  })
  await run('npm install --package-lock-only --prefer-offline --no-audit --no-fund')
  await run(install)
})
afterEach(killAll)
afterAll(removeFolders)

test('the lines of a job in GitHub Actions: start-server-and-test waits for the mock, and stops it', async () => {
  expect([install, ...more]).toEqual(['npm ci', 'npm test'])
  const files = { 'package.json': manifest, 'own.test.js': OWN_TEST }
  expect(await runAtFreePort(files, more)).toContain('The test has run.')
})

test("Playwright's configuration starts the mock and waits for it", async () => {
  const files = {
    'playwright.config.ts': withPort(code('Playwright', 'ts')),
    'own.spec.ts': PLAYWRIGHT_TEST,
  }
  expect(await runAtFreePort(files, ['npx --no-install playwright test own.spec.ts'])).toContain('1 passed')
})

test('wait-on ends when the mock is there, and with --allow all when / is', async () => {
  const [, line = ''] = /`npx (wait-on http.*?)`/.exec(page) ?? []
  for (const [args, wanted] of [
    [[], line],
    [['--allow', 'all'], 'wait-on http://localhost:33000'],
  ] as const) {
    const server = await Launched.listening({ folder, args: ['db.json', '--port', '0', ...args] })
    await run(`npx --no-install ${wanted.replace('33000', new URL(server.url).port)} --timeout 60000`)
    await server.stop()
  }
})

test('supertest takes the application', async () => {
  const [, line = ''] = /supertest takes the application itself: `(.*?)`/.exec(page) ?? []
  const data = `const data = { posts: [] }`
  await writeFile(
    path.join(folder, 'super.cjs'),
    `${SUPERTEST}\n${data}\nasync function main() { ${line} }\nmain()`,
  )
  await run('node super.cjs')
})

test('a seed is taken up while the server responds to everything', async () => {
  const [, command = ''] = /`(cp seed\.json db\.json)`/.exec(page) ?? []
  const server = await Launched.listening({ folder, args: ['db.json', '--port', '0', '--allow', 'all'] })
  const send = await client(server)
  expect((await send('DELETE /posts/1')).status).toBe(200)
  const statuses: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      statuses.push((await ask(server.url, { path: '/posts' })).status)
      await pause(1)
    }
  })()
  const seen = server.stdout.length
  await run(command)
  await server.prints(/db\.json was reloaded/, seen)
  isOver = true
  await asking
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await ask(server.url, { path: '/posts/1' })).status).toBe(200)
  // A change sees a seed at once.
  copyFileSync(path.join(folder, 'seed.json'), path.join(folder, 'db.json'))
  await send('DELETE /posts/1')
  copyFileSync(path.join(folder, 'seed.json'), path.join(folder, 'db.json'))
  const changed = await askJson(server.url, { method: 'PATCH', path: '/posts/1', body: { title: 'New' } })
  expect(changed.status).toBe(200)
})
