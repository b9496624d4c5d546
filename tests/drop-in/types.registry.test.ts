import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../support/data'
import { fromNpm } from './from-npm'
import { installPackage, MODULES, TSC } from './installed-package'

/** A program that uses what the package exports, in TypeScript. */
const CONSUMER = `import express from 'express'
import {
  type AppOptions, bearerToken, type Claims, createApp, type Data, DataSource, errorHandler, listen, login, MemoryData, type PublicCollection, publicReads, rewriter, showRules, userLookup,
} from 'json-server-bearer'
import { type MockFixtures, mockFixtures } from 'json-server-bearer/playwright'
import { openSandbox, type Sandbox, sandboxName } from 'json-server-bearer/testing'
let kept: Data = { posts: [] }
const ownData = new DataSource(kept, {
  load: (saved) => (kept === saved ? undefined : kept),
  save: async (state) => {
    kept = state
  },
})
const logins = { login: '/login', logout: ['DELETE /session'], tokenIn: 'cookie:session' }
const options: AppOptions = { ...logins, data: ownData, loginResponse: { token: '$token' } }
export const another: AppOptions = { data: new MemoryData({ posts: [] }), publicCollection: 'posts' }
declare const source: PublicCollection
const app = express()
app.use(login({ ...logins, key: 'secret', users: () => [], addUser: (user) => ({ ...user, id: 1 }) }))
app.use(login({ key: 'secret', users: () => [] }), publicReads({ source }), userLookup(), rewriter({}), showRules({}))
app.get('/users', bearerToken({ key: 'secret', tokenIn: ['x-access-token'] }), (request, _response, next) => {
  const claims: Claims | undefined = request.auth
  next(claims?.exp)
})
app.use('/mock', [rewriter({})], express.Router().use(bearerToken({ key: 'secret' })), createApp(options))
const reset: express.RequestHandler = async (request, response) => {
  const me = request.app.db.get('users').find({ email: 'mia@example.com' }).value<{ role?: string } | undefined>()
  const size: unknown = request.app.db.get('posts').push({ id: 1 }).size().value()
  await request.app.db.get('posts').remove((post) => post.id === 1).write()
  await request.app.db.setState({ posts: [] }).write()
  response.json([me?.role, size, request.app.db.getState().posts])
}
app.use(reset, errorHandler())
export const port: Promise<number> = listen(app, { port: 0, host: 'localhost' }).then((server) => server.port)
const user = { email: 'mia@example.com', password: 'sourdough' }
export const sandbox: Promise<Sandbox> = openSandbox({ url: 'http://localhost', name: sandboxName('a'), user })
export const { mock } = mockFixtures({ url: 'http://localhost', user })
export type Mock = MockFixtures['mock']
// @ts-expect-error There is no app without data.
createApp({})
// @ts-expect-error A login is a path.
login({ key: 'secret', users: () => [], login: 1 })
`

/** The first that the package is for, and those of today's projects. */
const TYPESCRIPTS = Object.fromEntries(
  ['5.4', '5.9', '7'].map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
)

const { folder, testWith } = fromNpm('typescript', TYPESCRIPTS)

const wrongTypes = fromNpm('attw', { '@arethetypeswrong/cli': '^0.18.5' })

let project: string

beforeAll(async () => {
  project = await makeFolder()
  await installPackage(project)
  for (const module of ['express', 'json-server'])
    await symlink(path.join(MODULES, module), path.join(project, 'node_modules', module))
  await symlink(path.join(MODULES, '@types'), path.join(project, 'node_modules/@types'))
  const consumers = ['@types/express', 'express-5-types'].map(async (types, index) => {
    const consumer = path.join(project, `consumer-${index}`)
    const linked = path.join(consumer, 'node_modules/@types')
    await mkdir(linked, { recursive: true })
    await symlink(path.join(MODULES, '@types/node'), path.join(linked, 'node'))
    await symlink(path.join(MODULES, types), path.join(linked, 'express'))
    await writeFile(path.join(consumer, 'consumer.ts'), CONSUMER)
  })
  await Promise.all(consumers)
})
afterAll(() => rm(project, { recursive: true, force: true }))

/** How a program finds the types: the second as in the templates of Vite, Next, Angular and SvelteKit. */
const RESOLUTIONS = ['--module nodenext', '--module esnext --moduleResolution bundler --skipLibCheck']

describe.each([
  ['TypeScript of this project', TSC, test] as const,
  ...Object.keys(TYPESCRIPTS).map((name) => [name, path.join(folder, name, 'bin/tsc'), testWith] as const),
])('%s', (_name, compiler, testWithCompiler) => {
  testWithCompiler.each(RESOLUTIONS)(
    'compiles with the types of Express 4 and of Express 5, strictly: %s',
    async (resolution) => {
      const flags = `--strict --noEmit ${resolution} --target es2022 --lib es2022 --types node`.split(' ')
      const files = [0, 1].map((index) => `consumer-${index}/consumer.ts`)
      const compiled = await promisify(execFile)(process.execPath, [compiler, ...flags, ...files], {
        cwd: project,
      }).catch((error: unknown) => error)
      expect(compiled).toMatchObject({ stdout: '' })
      expect(compiled).not.toBeInstanceOf(Error)
    },
  )
})

wrongTypes.testWith('Are the types wrong? finds nothing in the packed file', async () => {
  const run = promisify(execFile)
  const installed = path.join(project, 'node_modules/json-server-bearer')
  await run('npm', ['pack', installed, '--ignore-scripts'], { cwd: project })
  const [packed = ''] = (await readdir(project)).filter((file) => file.endsWith('.tgz'))
  const program = path.join(wrongTypes.folder, '@arethetypeswrong/cli/dist/index.js')
  const found = await run(process.execPath, [program, path.join(project, packed)]).catch((error) => error)
  expect(found).toMatchObject({ stdout: expect.stringContaining('json-server-bearer/playwright') })
  expect(found).not.toBeInstanceOf(Error)
})
