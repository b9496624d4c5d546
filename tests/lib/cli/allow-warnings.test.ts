import { allowWarnings } from '../../../lib/cli/allow-warnings'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { sampleData } from '../../support/data'

function warningsOf(...args: string[]): string[] {
  const settings = readCommandLine(args, {}, () => {})
  if (settings === undefined) throw new Error('No settings.')
  return allowWarnings(settings, sampleData())
}

describe('allowWarnings', () => {
  it.each([
    'POST /users',
    'GET /posts',
    'GET /posts/:id',
    'DELETE /tags/:id',
    'PUT /profile',
    'POST /profile',
    'POST /nothing',
  ])('says nothing of %s', (rule) => expect(warningsOf('--allow', rule)).toEqual([]))

  it.each(['GET /users', 'GET /users/:id', 'GET /db'])('says that %s gives passwords', (rule) => {
    expect(warningsOf('--allow', rule)).toEqual([
      `--allow "${rule}" gives passwords to anybody. A middleware that leaves them out is not enough: ` +
        'they can be guessed by filters such as password_like.',
    ])
  })

  it.each(['GET /blogs', 'GET /blogs/:id'])('says that the public reads respond to %s', (rule) => {
    expect(warningsOf('--allow', rule)).toEqual([
      `--allow "${rule}" changes nothing, because the public reads respond there: ` +
        "add --no-public for json-server's own list.",
    ])
    expect(warningsOf('--allow', rule, '--no-public')).toEqual([])
  })

  it('takes several rules, and refuses an invalid one', () => {
    expect(warningsOf('--allow', 'GET /posts', '--allow', 'GET /users')).toHaveLength(1)
    expect(() => warningsOf('--allow', 'GET /*')).toThrow(/^--allow: "GET \/\*" must be a method and a path/)
  })
})
