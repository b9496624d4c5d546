import { existsSync } from 'node:fs'
import path from 'node:path'
import { newFolder, projectFiles, removeFolders } from '../support/data'
import { client, FROM_SOURCE, killAll, Launched, PROGRAMS } from '../support/process'

interface Start {
  folder: string
  launched: Launched
  /** The exit code, or that it serves. */
  end: Awaited<Launched['exited']> | 'serves'
}

async function start(program: readonly string[], args: readonly string[]): Promise<Start> {
  const folder = await newFolder({
    ...projectFiles(),
    'thrower.js': '\nthrow new Error("no luck")',
    'broken.js': '\n\nmodule.exports = (req, res, next) => { next(',
    'broken.ts': '\n\nexport default (req: object, res, next) => { next(',
    'text.js': 'module.exports = "text"',
    'bad.json': '{"/a": }',
  })
  const launched = new Launched({ program, folder, args: [...args, '--port', '0', '--host', '127.0.0.1'] })
  const served = launched.listens().then(
    () => 'serves' as const,
    () => launched.exited,
  )
  return { folder, launched, end: await served }
}

/** What both do: refuse with exit code 1, or serve. Ours refuses in one sentence on the standard error. */
const CASES: readonly [args: string, theirs: 1 | 'serves', ours: RegExp | 'serves'][] = [
  ['', 1, 'serves'],
  ['db.txt', 1, /^Error: db\.txt .+\.\n$/],
  ['db.json -r missing.json', 1, /^Error: --routes: "missing\.json" .+\.\n$/],
  ['db.json -r bad.json', 1, /^Error: bad\.json .* line 1, column 8: .+\.\n$/],
  ['db.json -m thrower.js', 1, /^Error: thrower\.js .* no luck\.\nError: no luck\n +at .+thrower\.js:2:/],
  ['db.json -m broken.js', 1, /^Error: broken\.js .+\.\n.+broken\.js:3\n/],
  ['db.json -m broken.ts', 1, /^Error: broken\.ts .+\.\n.+\n.+broken\.ts:3:/],
  ['db.json --user secret', 'serves', /^Error: --user .+\.\n$/],
  ['db.json -m text.js', 1, /^Error: text\.js .* function.+\.\n$/],
  ['db.json -m claims.ts', 1, 'serves'],
]

afterAll(removeFolders)

async function startBoth(args: string): Promise<Record<keyof typeof PROGRAMS, Start>> {
  const words = args.split(' ').filter(Boolean)
  const [theirs, ours] = await Promise.all([
    start(PROGRAMS['json-server'], words),
    start(PROGRAMS.ours, words),
  ])
  return { 'json-server': theirs, ours }
}

describe('a start: json-server there, one clear sentence and exit code 1 here', () => {
  afterEach(killAll)

  it.each(CASES)('"%s": %s there', async (args, theirs, expected) => {
    const both = await startBoth(args)
    expect(both['json-server'].end).toBe(theirs)
    const { end, launched } = both.ours
    if (expected === 'serves') {
      expect(end).toBe('serves')
      return
    }
    expect(end).toBe(1)
    expect(launched.stdout).toBe('')
    expect(launched.stderr).toMatch(expected)
  })

  it('says how to write a middleware in a package that is a module', async () => {
    const folder = await newFolder({
      ...projectFiles(),
      'package.json': '{"type": "module"}',
      'sign-up.js': 'module.exports = (req, res, next) => next()',
    })
    const launched = new Launched({ folder, args: ['db.json', '-m', 'sign-up.js'] })
    expect(await launched.exited).toBe(1)
    expect(launched.stderr).toMatch(/^Error: sign-up\.js .+'\.cjs'.+at .+sign-up\.js:1:/s)
  })

  it('does not create a data file, as json-server does', async () => {
    const { 'json-server': theirs, ours } = await startBoth('new.json')
    expect([theirs.end, ours.end]).toEqual(['serves', 1])
    expect(ours.launched.output).toMatch(/^Error: new\.json .+\.\n$/)
    expect(existsSync(path.join(theirs.folder, 'new.json'))).toBe(true)
    expect(existsSync(path.join(ours.folder, 'new.json'))).toBe(false)
  })
})

test('a middleware in TypeScript, which json-server cannot load, finds the claims of the token', async () => {
  const { launched } = await start(FROM_SOURCE, ['db.json', '-m', 'claims.ts'])
  const send = await client(launched)
  const claims: unknown = JSON.parse(String((await send('GET /posts')).headers['x-claims']))
  expect(claims).toMatchObject({ email: 'ada@example.com', password: 'lovelace' })
  await killAll()
})
