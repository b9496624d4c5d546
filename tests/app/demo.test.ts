import { type BannerOptions, banner } from '../../lib/cli/banner'
import { readCommandLine } from '../../lib/cli/command-line'

const OPTIONS: BannerOptions = {
  url: 'http://localhost:33000',
  source: 'db.json',
  resources: ['blogs', 'users'],
  hasUsers: true,
  hasSecret: true,
}
const SAMPLE = { email: 'mia@example.com', password: 'sourdough' }

test.each([
  { args: [], docs: false },
  { args: ['--docs'], docs: true },
])('$args -> docs: $docs', ({ args, docs }) => {
  expect(readCommandLine(args, {})?.docs).toBe(docs)
})

test('with --docs, the banner says where the page is', () => {
  expect(banner(OPTIONS)).not.toContain('http://localhost:33000/docs')
  expect(banner({ ...OPTIONS, docs: true })).toContain('  http://localhost:33000/docs\n')
})

test('with the shipped sample, it has a login ready to paste, and what to try', () => {
  expect(banner({ ...OPTIONS, docs: true })).not.toContain('What to try')
  const text = banner({ ...OPTIONS, docs: true, sampleLogin: SAMPLE })
  expect(text).toContain(`paste ${JSON.stringify(SAMPLE)}`)
  expect(text).toContain('POST /blogs')
  expect(banner({ ...OPTIONS, sampleLogin: SAMPLE })).not.toContain(SAMPLE.password)
})
