import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { flagOptions } from '../../../../lib/cli/flags/flag-options'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()

// The files are watched by timers, which would go on when the folder is gone: these end with the test.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }))
afterEach(() => jest.useRealTimers())

test('a file that any flag names is private, so that nobody can read it from the static folder', async () => {
  const folder = await newFolder()
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const settings = {
    config: await file('json-server.json', '{}'),
    routes: await file('routes.json', '{"/api/*": "/$1"}'),
    middlewares: [
      await file('one.js', 'module.exports = () => {}'),
      await file('two.js', 'module.exports = []'),
    ],
    faults: await file('faults.json', '[]'),
    cert: await file('cert.pem', ''),
    key: await file('key.pem', ''),
    static: 'public',
    host: 'localhost',
  }
  const { middlewares, routes, faults, privateFiles } = flagOptions(settings, jest.fn(), jest.fn())
  const { static: _folder, host: _host, ...files } = settings
  expect(privateFiles.sort()).toEqual(Object.values(files).flat().sort())
  expect(routes?.()).toEqual({ '/api/*': '/$1' })
  expect(faults?.()).toEqual([])
  expect(middlewares?.()).toEqual(expect.any(Function))
  expect(flagOptions({ middlewares: [] }, jest.fn(), jest.fn())).toMatchObject({
    middlewares: undefined,
    privateFiles: [],
  })
})
