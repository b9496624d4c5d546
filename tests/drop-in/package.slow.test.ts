import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder, sampleData } from '../support/data'
import { authorized, logIn } from '../support/http'
import { client, killAll, Launched, ROOT } from '../support/process'
import { installPackage, MODULES } from './installed-package'

const JEST = path.join(MODULES, 'jest/bin/jest.js')
const run = promisify(execFile)

/** A project with the package, the dependencies of the README's examples, and a db.json. */
let project: string
let bin: string

beforeAll(async () => {
  project = await makeFolder()
  bin = await installPackage(project)
  for (const module of ['express', 'json-server'])
    await symlink(path.join(MODULES, module), path.join(project, 'node_modules', module))
  await symlink(path.join(MODULES, '@types'), path.join(project, 'node_modules/@types'))
  await writeFile(path.join(project, 'db.json'), JSON.stringify(sampleData()))
})
afterAll(async () => {
  await killAll()
  await rm(project, { recursive: true, force: true })
})

/** The blocks of JavaScript under a heading of a page. */
async function codeIn(page: string, heading: string): Promise<string[]> {
  const [, section = ''] = (await readFile(path.join(ROOT, page), 'utf8')).split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```js\n(.*?)```/gs)].map(([, block = '']) => block)
}

describe('the package', () => {
  it('serves a folder that holds only a db.json, with plain node', async () => {
    const folder = await makeFolder()
    await copyFile(path.join(project, 'db.json'), path.join(folder, 'db.json'))
    const server = await Launched.listening({ program: [bin], folder })
    const send = await client(server)
    expect((await send('GET /blogs', { headers: { Authorization: '' } })).status).toBe(200)
    expect((await send('POST /tags', { body: { id: 'new' } })).status).toBe(201)
    expect((await send('GET /tags/new')).status).toBe(200)
    await server.stop()
    expect(await readFile(path.join(folder, 'db.json'), 'utf8')).toContain('"new"')
    await rm(folder, { recursive: true })
  })

  it.each(['commonjs', 'module'])('takes middlewares in TypeScript where the type is %s', async (type) => {
    const folder = await makeFolder()
    const files = {
      'package.json': JSON.stringify({ type }),
      'db.json': JSON.stringify(sampleData()),
      'served.ts': `export const served: string = 'yes'`,
      'middleware.ts': `import { served } from './served.ts'
        import type { RequestHandler } from 'express'
        const middleware: RequestHandler = (_request, response, next) => {
          response.set('X-Served', served)
          next()
        }
        export default middleware`,
      'other.mts': `export default (_request: unknown, _response: unknown, next: () => void) => next()`,
      'wrong.ts': 'const answer: = 42',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
    const server = await Launched.listening({
      program: [bin],
      folder,
      args: ['--host', '127.0.0.1', '-m', 'middleware.ts', 'other.mts'],
    })
    const send = await client(server)
    expect((await send('GET /tags')).headers).toMatchObject({ 'x-served': 'yes' })
    await server.stop()
    const wrong = new Launched({ program: [bin], folder, args: ['-m', 'wrong.ts'] })
    expect(await wrong.exited).toBe(1)
    expect(wrong.stderr).toMatch(/^Error: wrong\.ts cannot be used: .+\.\n.+\n.+wrong\.ts:1:14\n/)
    await rm(folder, { recursive: true })
  })

  it('loads neither the command line nor what options add when it is required', async () => {
    await writeFile(
      path.join(project, 'loaded.js'),
      `require('json-server-bearer')
      console.log(JSON.stringify(Object.keys(require.cache)))`,
    )
    const { stdout } = await run(process.execPath, ['loaded.js'], { cwd: project })
    const loaded: string[] = JSON.parse(stdout)
    expect(loaded.filter((file) => file.endsWith(path.join('dist', 'server.js')))).toHaveLength(1)
    const unwanted =
      /yargs|lib.cli|lib.options.(?!app-options)|static-files|home-page|compression|lowdb|jsonwebtoken/
    expect(loaded.filter((file) => unwanted.test(file))).toEqual([])
  })

  it.each([
    { entry: 'json-server-bearer', some: ['createApp', 'listen'] },
    { entry: 'json-server-bearer/testing', some: ['openSandbox', 'sandboxName'] },
    { entry: 'json-server-bearer/playwright', some: ['mockFixtures'] },
  ])('gives $entry the same names by require and by import', async ({ entry, some }) => {
    const required = `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`
    const imported =
      `import * as all from '${entry}'; import { ${some.join(', ')} } from '${entry}'\n` +
      `const defaults = ['__esModule', 'default', 'module.exports']\n` +
      `console.log(JSON.stringify(Object.keys(all).filter((name) => !defaults.includes(name)).sort()))`
    await writeFile(path.join(project, 'entry.cjs'), required)
    await writeFile(path.join(project, 'entry.mjs'), imported)
    const [byRequire, byImport] = await Promise.all(
      ['entry.cjs', 'entry.mjs'].map((file) => run(process.execPath, [file], { cwd: project })),
    )
    expect(JSON.parse(byRequire?.stdout ?? '')).toEqual(expect.arrayContaining(some))
    expect(byImport).toEqual(byRequire)
  })

  it('names itself in the help as it is called', async () => {
    const help = new Launched({ program: [bin], folder: project, args: ['--help'] })
    expect(await help.exited).toBe(0)
    expect(help.stdout).toContain('json-server-bearer [flags]')
  })
})

describe('the code that is printed', () => {
  it('gives your own server a login and a token check (docs/json-server.md)', async () => {
    const [block = ''] = await codeIn('docs/json-server.md', 'A server of your own')
    expect(block).toContain("listen(33000, 'localhost')")
    await writeFile(path.join(project, 'own.cjs'), block.replace('listen(33000,', 'listen(0,'))
    const env = { JWT_SECRET: undefined }
    const server = await Launched.listening({ program: ['own.cjs'], folder: project, args: [], env })
    const { url } = server
    expect((await fetch(`${url}/posts`)).status).toBe(401)
    const headers = authorized(await logIn(url))
    expect(await (await fetch(`${url}/posts`, { headers })).json()).toEqual(sampleData().posts)
    const body = JSON.stringify({ title: 'New' })
    expect((await fetch(`${url}/posts`, { method: 'POST', headers, body })).status).toBe(201)
    await server.stop()
  })

  it('logs in, adds a task and lists all (README.md)', async () => {
    const [code = ''] = await codeIn('README.md', 'Log in')
    await writeFile(path.join(project, 'mine.json'), '{ "tasks": [{ "id": 1, "text": "Buy tea" }] }')
    const args = ['mine.json', '--user', 'me:secret']
    const server = await Launched.listening({ program: [bin], folder: project, args })
    await writeFile(path.join(project, 'log-in.mjs'), code.replaceAll('http://localhost:33000', server.url))
    const { stdout } = await run(process.execPath, ['log-in.mjs'], { cwd: project })
    expect(stdout).toBe('2\n')
    await server.stop()
  })

  it('passes as a test of node:test (docs/testing.md)', async () => {
    const [code = ''] = await codeIn('docs/testing.md', 'Start the mock, and wait for it')
    const users = [{ id: 1, email: 'mia@example.com', password: 'sourdough' }]
    await writeFile(path.join(project, 'seed.json'), JSON.stringify({ posts: [], users }))
    const args = ['seed.json', '--sandboxes']
    const server = await Launched.listening({ program: [bin], folder: project, args })
    const file = 'posts.test.mjs'
    await writeFile(path.join(project, file), code.replaceAll('http://localhost:33000', server.url))
    const { stdout } = await run(process.execPath, ['--test', file], { cwd: project })
    expect(stdout).toMatch(/pass 1\n/)
    await server.stop()
  })

  it('passes as a test in Jest (docs/testing.md)', async () => {
    const [code = '', imports = ''] = await codeIn('docs/testing.md', 'Vitest and Jest, in the same process')
    expect(code.match(/^import .*$/gm)).toHaveLength(3)

    const folder = path.join(project, 'own-tests')
    await mkdir(folder)
    await writeFile(
      path.join(folder, 'package.json'),
      '{"jest": {"testEnvironment": "node", "transform": {}}}',
    )
    await writeFile(path.join(folder, 'blogs.test.js'), imports + code.replace(/^import .*$/gm, ''))
    const flags = ['--rootDir', folder, '--watchman=false', '--ci', '--testTimeout=120000']
    // In a terminal, jest tells its child processes to print in colours.
    const env = { PATH: process.env.PATH }
    const ran = await run(process.execPath, [JEST, ...flags], { cwd: folder, env }).catch(
      (error: unknown) => error,
    )
    expect(ran).toMatchObject({ stderr: expect.stringContaining('2 passed, 2 total') })
    expect(ran).not.toBeInstanceOf(Error)
  })
})

describe('docs/examples', () => {
  const folder = path.join(ROOT, 'docs/examples')

  it.each(readdirSync(folder))('%s prints what it says', async (name) => {
    const code = await readFile(path.join(folder, name), 'utf8')
    const said = Array.from(code.matchAll(/^ *console\.log\(.*\) \/\/ (.*)$/gm), ([, line]) => line)
    expect(said.length).toBeGreaterThan(0)
    await writeFile(path.join(project, name), code)
    const { stdout, stderr } = await run(process.execPath, [name], { cwd: project })
    expect(stderr).toBe('')
    expect(stdout.trimEnd().split('\n')).toEqual(said)
  })
})
