import { rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder, makeProject, sampleData } from '../support/data'
import { client, FROM_SOURCE, killAll, Launched } from '../support/process'
import { fromNpm, NODE, packageOfNode } from './from-npm'
import { installPackage } from './installed-package'

/** The versions of Node that are supported, besides the one that runs the tests. */
const VERSIONS = [22, 24, 26].filter((version) => !process.version.startsWith(`v${version}.`))

const { folder, testWith } = fromNpm(
  'nodes',
  Object.fromEntries(VERSIONS.map((version) => [`node-${version}`, `npm:${packageOfNode()}@${version}`])),
)
const NODES = VERSIONS.map((version) => path.join(folder, `node-${version}`, NODE))

const FILES = {
  'db.json': JSON.stringify(sampleData()),
  'served.ts': `export const served: string = 'yes'`,
  'middleware.ts': `import { served } from './served.ts'
    import type { RequestHandler } from 'express'
    const middleware: RequestHandler = (_request, response, next) => {
      response.set('X-Served', served)
      next()
    }
    export default middleware`,
  'both.mts': `export default (_request: unknown, _response: unknown, next: () => void) => next()`,
  'more.cts': `import both from './both.mts'
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
  await killAll()
  await rm(project, { recursive: true, force: true })
})

describe.each([
  ['the running Node', process.execPath, test] as const,
  ...VERSIONS.map((version, index) => [`Node ${version}`, NODES[index], testWith] as const),
])('%s', (_name, node, testWithNode) => {
  testWithNode.each([
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
