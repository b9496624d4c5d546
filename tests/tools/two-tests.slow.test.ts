import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { twoTests } from '../../tools/two-tests'
import { ROOT } from '../support/process'

it('the picture of two tests is in the README as it would be drawn now', async () => {
  expect(await readFile(path.join(ROOT, 'docs/two-tests.svg'), 'utf8')).toBe(await twoTests())
})
