import { readFileSync } from 'node:fs'
import path from 'node:path'
import { banner, keysLine } from '../../lib/cli/banner'
import { readCommandLine } from '../../lib/cli/flags/command-line'
import { escapeXml } from '../../tools/escape-xml'
import { servicesFor } from '../lib/cli/services'

const ROOT = path.join(__dirname, '../..')
const home = process.cwd()

beforeEach(() => process.chdir(ROOT))
afterEach(() => process.chdir(home))

test('the picture of the start shows the words that the program prints', () => {
  const settings = readCommandLine([], {}, () => {})
  if (settings === undefined) throw new Error('No settings.')
  const [data, rules] = ['db.json', 'routes.json'].map((file) => JSON.parse(readFileSync(file, 'utf8')))
  const services = servicesFor(settings, data)
  const style = (_format: string, text: string) => text
  const printed =
    banner(settings, data, { services, port: 33_000, startTime: 1, style, rules }) + keysLine(style)
  const [, shown = ''] = /<desc>(.*)<\/desc>/s.exec(readFileSync('docs/start.svg', 'utf8')) ?? []
  const [command, ...lines] = shown.replace(/ready in \d+ ms/, 'ready in 1 ms').split('\n')
  expect(command).toBe('$ npx ts-node server.ts')
  expect(lines.join('\n').trim()).toBe(escapeXml(printed.trim()))
})
