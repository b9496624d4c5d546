import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { warnings } from '../../../lib/cli/warnings'
import type { Data } from '../../../lib/data/valid-data'

function warningsOf(args: readonly string[], data: Data): string[] {
  const settings = readCommandLine(args, {}, () => {})
  if (settings === undefined) throw new Error('No settings.')
  return warnings(settings, data)
}

it('says that nobody can log in, unless --user or --allow lets somebody', () => {
  const data = { users: [], blogs: [] }
  expect(warningsOf([], data)).toEqual([expect.stringMatching(/^Nobody can log in: .+ Start with --user/)])
  expect(warningsOf(['--allow', 'GET /users'], data)).toHaveLength(1)
  expect(warningsOf(['--user', 'me:secret'], data)).toEqual([])
  expect(warningsOf(['--allow', 'POST /users'], data)).toEqual([])
  expect(warningsOf(['--allow', 'GET /posts', '--allow', 'POST /users'], data)).toEqual([])
})
