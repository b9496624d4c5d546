import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { errorMessage } from '../../lib/error-code'
import { makeFolder, makeProject, sampleData } from '../support/data'
import { client, FROM_SOURCE, killAll, Launched, ROOT } from '../support/process'
import { installPackage } from './installed-package'

/** The versions of Node that are supported, besides the one that runs the tests. */
const VERSIONS = [22, 24, 26].filter((version) => !process.version.startsWith(`v${version}.`))
const FOLDER = path.join(ROOT, 'node_modules/.cache/nodes')
const EXECUTABLE = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/** The Node of a version, of which npm has each as a package. */
function nodeOf(version: number): string {
  return path.join(FOLDER, `node_modules/node-${version}`, EXECUTABLE)
}

/**
 * Installs what is missing of the versions, once for all runs.
 *
 * @returns why that was not possible, where it was not
 */
function installNodes(): string | undefined {
  if (VERSIONS.every((version) => existsSync(nodeOf(version)))) return undefined
  const { platform, arch } = process
  // The names that the package `node` gives to those that hold the executables.
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
  const packages = VERSIONS.map((version) => `node-${version}@npm:${name}@${version}`)
  try {
    execSync(
      `npm install --prefix "${FOLDER}" --no-save --no-package-lock --ignore-scripts --fetch-retries 0 ${packages.join(' ')}`,
      { stdio: 'pipe' },
    )
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

const problem = installNodes()
if (problem !== undefined) {
  // A workflow that tries only one version must not look as if it had tried them all.
  if (process.env.CI !== undefined)
    throw new Error(`npm cannot install Node ${VERSIONS.join(', ')}: ${problem}`)
  process.stderr.write(`npm cannot install Node ${VERSIONS.join(', ')}, so they are not tried: ${problem}\n`)
}

const FILES = {
  'db.json': JSON.stringify(sampleData()),
  'served.ts': `export const served: string = 'yes'`,
  'middleware.ts': `import { served } from './served.js'
    import type { RequestHandler } from 'express'
    const middleware: RequestHandler = (_request, response, next) => {
      response.set('X-Served', served)
      next()
    }
    export default middleware`,
  'both.mts': `export default (_request: unknown, _response: unknown, next: () => void) => next()`,
  'more.cts': `import both from './both.mjs'
    export default both`,
}
const ARGS = ['--host', '127.0.0.1', '--sandboxes', '-m', 'middleware.ts', 'both.mts', 'more.cts']

let project: string
let bin: string

beforeAll(async () => {
  project = await makeFolder()
  bin = await installPackage(project)
})
afterAll(async () => {
  killAll()
  await rm(project, { recursive: true, force: true })
})

const tried = problem === undefined ? VERSIONS : []

describe.each([
  ['the running Node', process.execPath] as const,
  ...tried.map((version) => [`Node ${version}`, nodeOf(version)] as const),
])('%s', (_name, node) => {
  it.each([
    ['from source, by ts-node', () => FROM_SOURCE],
    ['as the package', () => [bin]],
  ])('starts %s, with TypeScript in packages of both types, and warns of nothing', async (_what, program) => {
    const starts = ['commonjs', 'module'].map(async (type) => {
      const folder = await makeProject({ ...FILES, 'package.json': JSON.stringify({ type }) })
      const server = await Launched.listening({ node, program: program(), folder, args: ARGS })
      const send = await client(server)
      expect((await send('POST /tags', { body: { id: 'new' } })).status).toBe(201)
      const { status, headers } = await send('GET /tags/new')
      expect([status, headers['x-served']]).toEqual([200, 'yes'])
      expect(await server.stop()).toBe(0)
      expect(server.stderr).toBe('')
      await rm(folder, { recursive: true })
    })
    await Promise.all(starts)
  })
})
