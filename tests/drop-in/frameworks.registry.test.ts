import { type ExecFileOptions, execFile } from 'node:child_process'
import { cp, mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { browserOptions, NO_BROWSER } from '../support/browser'
import { newFolder, removeFolders } from '../support/data'
import { killAll, Launched } from '../support/process'
import { fromNpm, NODE, packageOfNode } from './from-npm'
import { installPackage } from './installed-package'

const PACKAGES = {
  '@playwright/test': '1',
  '@sveltejs/adapter-node': '6',
  '@sveltejs/kit': '3',
  '@sveltejs/vite-plugin-svelte': '7',
  next: '16',
  // SvelteKit 3 needs it.
  'node-22': `npm:${packageOfNode()}@22`,
  react: '19',
  'react-dom': '19',
  svelte: '5',
  vite: '8',
}
const { folder: packages, testWith } = fromNpm('frameworks', PACKAGES)
const browser = browserOptions()
if (browser === undefined) process.stderr.write(`${NO_BROWSER} The tests of frameworks are skipped.\n`)
const testWithBrowser = browser === undefined ? test.skip : testWith

const DATA = JSON.stringify({
  users: [{ id: 1, email: 'mia@example.com', password: 'sourdough' }],
  notes: [{ id: 1, text: 'of the main data' }],
  arrivals: [],
})
const MOCK = [
  ...['db.json', '--host', 'localhost', '--port', '0', '--in-memory', '--sandboxes'],
  ...['--login', '/login', '--refresh', '/refresh'],
  ...['--token-in', 'cookie:session', '--refresh-in', 'cookie:refresh'],
  ...['--allow', 'GET /notes', '--allow', 'GET /arrivals', '--allow', 'POST /arrivals'],
]

const inPackages = (file: string): string => path.join(packages, file)
const next = inPackages('next/dist/bin/next')

interface Framework {
  /** The folder of the application. */
  name: string
  /** The Node that runs it. */
  node: string
  build: readonly string[]
  start: readonly string[]
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'sveltekit',
    node: inPackages(`node-22/${NODE}`),
    build: [inPackages('vite/bin/vite.js'), 'build'],
    start: ['build/index.js'],
  },
  {
    name: 'next',
    node: process.execPath,
    build: [next, 'build'],
    start: [next, 'start', '--hostname', 'localhost', '--port', '0'],
  },
]

const ENV = { PATH: process.env.PATH, CI: 'true', NEXT_TELEMETRY_DISABLED: '1' }

let project: string
beforeAll(async () => {
  project = await newFolder({ 'db.json': DATA })
  await cp(path.join(__dirname, 'frameworks'), project, { recursive: true })
  await installPackage(project)
  for (const name of Object.keys(PACKAGES)) {
    const link = path.join(project, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(inPackages(name), link)
  }
})
afterEach(killAll)
/** Ends what is still running after a test has failed. */
const running = new AbortController()
afterAll(() => running.abort())
afterAll(removeFolders)

/** Runs a program with Node until it ends. */
async function run(node: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(node, args, {
    ...options,
    signal: running.signal,
  }).catch((error) => {
    throw new Error(`${args.join(' ')} has failed:\n${error.stdout}${error.stderr}`)
  })
  return `${stdout}${stderr}`
}

/** The address of a server at the name of this machine that the mock has as well, so that both have the same cookies. */
function atLocalhost(server: Launched): string {
  return `http://localhost:${new URL(server.url).port}`
}

testWithBrowser.each(FRAMEWORKS)(
  'with $name, eight tests at once see their own data in the pages that its server makes',
  async ({ name, node, build, start }) => {
    const folder = path.join(project, name)
    await run(node, build, { cwd: folder, env: ENV })
    const mock = await Launched.listening({ folder: project, args: MOCK })
    const site = await Launched.listening({
      node,
      folder,
      program: start,
      args: [],
      env: { ...ENV, HOST: 'localhost', MOCK: atLocalhost(mock) },
    })
    const env = {
      ...ENV,
      MOCK: atLocalhost(mock),
      SITE: atLocalhost(site),
      BROWSER: JSON.stringify(browser),
    }
    const printed = await run(process.execPath, [inPackages('@playwright/test/cli.js'), 'test'], {
      cwd: project,
      env,
    })
    expect(printed).toContain('10 passed')
  },
)
