import { execFile } from 'node:child_process'
import { cp, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { newFolder, removeFolders } from '../support/data'
import { serve } from '../support/http'
import { fromNpm } from './from-npm'

const { folder: packages, testWith } = fromNpm('forms', {
  esbuild: '0.28',
  react: '19',
  'react-dom': '19',
  'react-hook-form': '7',
})
const { testInBrowser, browser } = testsInBrowser()
const testWithBrowser = testInBrowser === test.skip ? test.skip : testWith

afterAll(removeFolders)

const schemas = {
  users: {
    required: ['name', 'email', 'password'],
    properties: {
      name: { type: 'string', minLength: 1 },
      email: { type: 'string', format: 'email', unique: true },
      password: { type: 'string', minLength: 6 },
    },
  },
}
const MIA = { id: 1, name: 'Mia', email: 'mia@example.com', password: 'sourdough' }

testWithBrowser('a form of React Hook Form shows at each field what the server says of it', async () => {
  const folder = await newFolder({
    'page/index.html': '<!doctype html><title></title><body><script type="module" src="/form.js"></script>',
  })
  await cp(path.join(__dirname, 'forms/react-hook-form.mjs'), path.join(folder, 'form.mjs'))
  await symlink(packages, path.join(folder, 'node_modules'))
  const bundle = ['form.mjs', '--bundle', '--format=esm', '--outfile=page/form.js']
  const esbuild = path.join(packages, 'esbuild/bin/esbuild')
  await promisify(execFile)(
    process.execPath,
    [esbuild, ...bundle, '--define:process.env.NODE_ENV="production"'],
    { cwd: folder },
  )
  await writeFile(path.join(folder, 'page/favicon.ico'), '')
  const app = createApp({
    data: { users: [MIA] },
    schemas,
    allow: ['POST /users'],
    static: path.join(folder, 'page'),
    log: false,
  })
  const { url, close } = await serve(app)
  const page = await browser().newPage()
  await page.goto(url)
  const submit = async (email: string, password: string, status: number) => {
    await page.fill('[name=email]', email)
    await page.fill('[name=password]', password)
    await page.evaluate("document.title = ''")
    await page.click('button')
    await page.waitForFunction(`document.title === '${status}'`)
    return Promise.all(['name', 'email', 'password'].map((name) => page.textContent(`#${name}`)))
  }
  const [name, email, password] = await submit(MIA.email, 'abc', 422)
  expect([name !== '', email !== '', password !== '']).toEqual([true, true, true])
  await page.fill('[name=name]', 'Noah')
  expect(await submit('noah@example.com', 'sourdough', 201)).toEqual(['', '', ''])
  await page.close()
  await close()
})
