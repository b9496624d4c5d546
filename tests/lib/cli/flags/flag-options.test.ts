import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readCommandLine } from '../../../../lib/cli/flags/command-line'
import { flagOptions } from '../../../../lib/cli/flags/flag-options'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()

// The files are watched by timers, which would go on when the folder is gone: these end with the test.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }))
afterEach(() => jest.useRealTimers())

function optionsOf(...args: string[]) {
  const settings = readCommandLine(args, {}, jest.fn())
  return flagOptions(settings, jest.fn(), jest.fn(), () => undefined)
}

test('a file that any flag names is private, so that nobody can read it from the static folder', async () => {
  const folder = await newFolder()
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const files = {
    config: await file('json-server.json', '{}'),
    routes: await file('rules.json', '{"/api/*": "/$1"}'),
    faults: await file('faults.json', '[]'),
    cert: await file('cert.pem', ''),
    key: await file('key.pem', ''),
  }
  const handlers = [
    await file('one.js', 'module.exports = () => {}'),
    await file('two.js', 'module.exports = []'),
  ]
  const flags = Object.entries(files).flatMap(([name, value]) => [`--${name}`, value])
  const { middlewares, routes, faults, privateFiles } = optionsOf(
    ...flags,
    ...['--static', 'public', '--host', 'localhost', '--middlewares', ...handlers],
  )
  expect([...privateFiles].sort()).toEqual([...Object.values(files), ...handlers].sort())
  expect(routes?.()).toEqual({ '/api/*': '/$1' })
  expect(faults?.()).toEqual([])
  expect(middlewares).toHaveLength(2)
})

test('no file is private, and there are no middlewares, where no flag names any', () => {
  expect(optionsOf('--routes=')).toMatchObject({ middlewares: [], faults: undefined, privateFiles: [] })
})

test('rules that a configuration file holds are those of a file, and what is no rule is left out', async () => {
  const file = path.join(await newFolder(), 'json-server.json')
  await writeFile(file, '{"routes": {"/api/*": "/$1", "/a": 1}}')
  const { routes, privateFiles } = optionsOf('--config', file)
  expect(routes?.()).toEqual({ '/api/*': '/$1' })
  expect(privateFiles).toEqual([file])
})

test('the start warns of a routes.json that is not read, because a configuration file holds rules', async () => {
  const folder = await newFolder()
  await writeFile(path.join(folder, 'json-server.json'), '{"routes": {"/api/*": "/$1"}}')
  await writeFile(path.join(folder, 'routes.json'), '{"/v1/*": "/$1"}')
  process.chdir(folder)
  const warn = jest.fn()
  flagOptions(readCommandLine([], {}, warn), warn, jest.fn(), () => undefined)
  expect(warn.mock.calls).toEqual([[expect.stringContaining('routes.json')]])
})

test('the whole json-server.json of docs/json-server.md is read without a warning', async () => {
  const page = readFileSync(path.join(__dirname, '../../../../docs/json-server.md'), 'utf8')
  const [, example = ''] = /## The file json-server\.json.*?```json\n(.*?)```/s.exec(page) ?? []
  const folder = await newFolder()
  await mkdir(path.join(folder, 'public'))
  await writeFile(path.join(folder, 'stamp.js'), 'module.exports = (_request, _response, next) => next()')
  await writeFile(path.join(folder, 'json-server.json'), example)
  process.chdir(folder)
  const warn = jest.fn()
  const options = flagOptions(readCommandLine([], {}, warn), warn, jest.fn(), () => undefined)
  expect(warn).not.toHaveBeenCalled()
  expect(options.routes?.()).toEqual({ '/api/*': '/$1' })
  expect(options).toMatchObject({ login: ['/login'], publicCollection: false, tokenLifetime: 900 })
})
