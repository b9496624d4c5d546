import { execFile } from 'node:child_process'
import { cp, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type AppOptions, createApp } from '../../server'
import { testsInBrowser } from '../support/browser'
import { newFolder, removeFolders } from '../support/data'
import { ask, json, serve } from '../support/http'
import { fromNpm } from './from-npm'

const { folder: packages, testWith } = fromNpm('forms', {
  esbuild: '0.28',
  'ra-data-json-server': '5',
  react: '19',
  'react-admin': '5',
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
      role: { enum: ['user', 'admin'], default: 'user', readOnly: true },
      address: { properties: { city: { type: 'string', maxLength: 9 } } },
    },
  },
}
const MIA = { id: 1, name: 'Mia', email: 'mia@example.com', password: 'sourdough' }

/** Serves a program as a page beside the data, and opens it. */
async function openForm(program: string, options: Partial<AppOptions> = {}) {
  const folder = await newFolder({
    'page/index.html': '<!doctype html><title></title><body><script type="module" src="/form.js"></script>',
  })
  await cp(path.join(__dirname, 'forms', program), path.join(folder, 'form.mjs'))
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
    ...options,
  })
  const { url, close } = await serve(app)
  const page = await browser().newPage()
  await page.goto(url)
  return {
    page,
    url,
    async close() {
      await page.close()
      await close()
    },
  }
}

testWithBrowser('a form of React Hook Form shows at each field what the server says of it', async () => {
  const { page, close } = await openForm('react-hook-form.mjs')
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
  await close()
})

testWithBrowser('a form of react-admin shows at each field what the server says of it', async () => {
  // As docs/schemas.md has it.
  const schemaRefusal = { body: { errors: '$first' } }
  const { page, url, close } = await openForm('react-admin.mjs', { schemaRefusal, allow: 'all' })
  const save = async (method: string, values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await page.fill(`[name="${name}"]`, value)
    const saved = page.waitForResponse((response) => response.request().method() === method)
    await page.click('button[type=submit]')
    const response = await saved
    return { status: response.status(), said: await response.json() }
  }
  const shown = async () => {
    await page.waitForSelector('.MuiFormHelperText-root.Mui-error')
    return page.locator('.MuiFormHelperText-root.Mui-error').allTextContents()
  }

  await page.goto(`${url}/#/users/create`)
  const wrong = { name: 'Noah', email: MIA.email, password: 'abc', 'address.city': 'Wolverhampton' }
  const refused = await save('POST', wrong)
  expect(refused.status).toBe(422)
  expect(Object.keys(refused.said.errors).toSorted()).toEqual(['address.city', 'email', 'password'])
  expect((await shown()).toSorted()).toEqual(Object.values(refused.said.errors).toSorted())
  const right = { email: 'noah@example.com', password: 'sourdough', 'address.city': 'Nice', role: 'admin' }
  expect((await save('POST', right)).status).toBe(201)

  // The whole record is sent back, with what is read-only in it; a field that was emptied is null.
  await page.waitForURL(/users\/2/)
  await page.waitForSelector('[name=role][value=user]')
  const change = await save('PUT', { email: '', name: 'N', role: 'admin' })
  expect(change.status).toBe(422)
  expect(await shown()).toEqual([change.said.errors.email])
  expect((await save('PUT', { email: 'n@example.com' })).status).toBe(200)
  expect(json(await ask(url, { path: '/users/2' }))).toMatchObject({ name: 'N', role: 'user' })
  await close()
})
