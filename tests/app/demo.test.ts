import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readCommandLine } from '../../lib/cli/flags/command-line'
import { isRecord } from '../../lib/is-record'

const ROOT = path.join(__dirname, '../..')

test('npm run demo serves the page, shows changes at once and never writes to the sample data', () => {
  const manifest: unknown = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const scripts = isRecord(manifest) && isRecord(manifest.scripts) ? manifest.scripts : {}
  const [, flags = ''] = /^ts-node server\.ts (.+)$/.exec(String(scripts.demo)) ?? []
  expect(readCommandLine(flags.split(' '), {}, () => {})).toMatchObject({
    source: 'db.json',
    docs: true,
    live: true,
    inMemory: true,
  })
})
