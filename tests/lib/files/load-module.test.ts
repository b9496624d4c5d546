import path from 'node:path'
import { isModule, loadModule } from '../../../lib/files/load-module'
import { newFolder, removeFolders } from '../../support/data'

afterAll(removeFolders)

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

test('of a file that ts-node cannot compile, the sentence says where and why', async () => {
  const folder = await newFolder({
    'data.js': `
      const text = "data.ts(1,2): error TS1005: ';' expected."
      const error = new Error('Unable to compile TypeScript:\\n' + text)
      throw Object.defineProperty(error, 'diagnosticText', { value: text })`,
  })
  expect(() => loadModule(path.join(folder, 'data.js'))).toThrow(/^data\.ts\(1,2\): error TS1005/)
})
