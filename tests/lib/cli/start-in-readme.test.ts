import { readFileSync } from 'node:fs'
import path from 'node:path'
import { banner } from '../../../lib/cli/banner'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { servicesFor } from './services'

const ROOT = path.join(__dirname, '../../..')
const home = process.cwd()

beforeEach(() => process.chdir(ROOT))
afterEach(() => process.chdir(home))

/** A start without what differs from one to the next. */
function steady(text: string): string {
  return text.replace(/bearer \S+ ready in \d+ ms/, 'bearer, ready').trim()
}

test('the README shows what a start with the sample data prints', () => {
  const settings = readCommandLine([], {}, () => {})
  if (settings === undefined) throw new Error('No settings.')
  const [data, rules] = ['db.json', 'routes.json'].map((file) => JSON.parse(readFileSync(file, 'utf8')))
  const services = servicesFor(settings, data)
  const style = (_format: string, text: string) => text
  const printed = banner(settings, data, { services, port: 33_000, startTime: 1, style, rules })
  const [, shown = ''] =
    /serves the sample data, and prints:\n\n```\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(steady(shown)).toBe(steady(printed))
})
