import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createJiti } from 'jiti'
import { isModule, loadModule } from '../../../lib/files/load-module'
import { tempFolders } from '../../support/data'

jest.mock('jiti', () => ({ createJiti: jest.fn(jest.requireActual('jiti').createJiti) }))

const newFolder = tempFolders()

test.each([
  ['data.js', true],
  ['data.cjs', true],
  ['data.mjs', true],
  ['data.ts', true],
  ['data.json', false],
  ['data', false],
])('%s is a module: %s', (file, expected) => {
  expect(isModule(file)).toBe(expected)
})

test.each([
  ['events.js', 'events', 0],
  ['events.ts', 'events.ts', 1],
])('%s, named as %s, is loaded by jiti %d times', async (name, named, times) => {
  const folder = await newFolder()
  writeFileSync(path.join(folder, name), 'module.exports = 7')
  jest.mocked(createJiti).mockClear()
  expect(loadModule(path.join(folder, named))).toBe(7)
  expect(createJiti).toHaveBeenCalledTimes(times)
})
