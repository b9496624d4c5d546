import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { picture } from '../../tools/picture'
import { ROOT } from '../support/process'

it('is in the README as it would be drawn now', async () => {
  expect(await readFile(path.join(ROOT, 'docs/two-tests.svg'), 'utf8')).toBe(await picture())
})
