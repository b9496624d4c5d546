import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { loginFragment, loginLines } from '../../../lib/cli/login-lines'
import { usualShell } from '../../../lib/cli/shell-lines'
import type { Data } from '../../../lib/data/valid-data'
import { sampleData, tempFolders } from '../../support/data'
import { testOfUnix } from '../../support/platform'
import { startedFor } from './started'

const newFolder = tempFolders()

beforeEach(async () => process.chdir(await newFolder()))

const URL = 'http://localhost:33000'
const ASKED = `${URL}/tasks`

function startedWith(args: readonly string[], data: Data) {
  return startedFor(
    readCommandLine(args, {}, () => {}),
    data,
  )
}

function linesFor(
  args: readonly string[],
  data: Data,
  options: { url?: string; asked?: string; shell?: 'sh' | 'powershell' } = {},
) {
  return loginLines(startedWith(args, data), { url: URL, asked: ASKED, shell: 'sh', ...options })
}

const RESPONSE = '{"message":"Hello","data":{"user":{"id":1},"jwt":"eyJ.the-token"},"refresh":"eyJ.other"}\n'

/** Runs the lines as a shell does, and gives the words that each curl is told. */
async function paste(lines: readonly string[], shell: string) {
  const curl = `curl() { printf '%s\\n' "$@" '' >&2; printf '%s' '${RESPONSE}'; }`
  const { stderr } = await promisify(execFile)(shell, ['-c', `${curl}\n${lines.join('\n')}`])
  return stderr
    .trim()
    .split('\n\n')
    .map((words) => words.split('\n'))
}

/** The fields of the form that curl would send. */
function formIn(words: readonly string[]): Record<string, string> {
  const fields = words.filter((_word, index) => /^(-d|--data-urlencode)$/.test(words[index - 1] ?? ''))
  return Object.fromEntries(new URLSearchParams(fields.join('&')))
}

const MIA = { email: 'mia@example.com', password: 'sourdough' }
const HASHED = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
const ODD = `o'hara+$HOME\`b\` "c" 100% (d)!`

test.each<[string[], Data, string]>([
  [['--user', 'm&e:secret'], {}, '#email=m%26e'],
  [['--login', '/in'], { users: [{ id: 1, username: 'ada', password: 'x' }] }, '#username=ada'],
  [[], { users: [{ id: 1, email: 'ann@bikes.test', password: 'x' }] }, '#email=ann%40bikes.test'],
  [[], { users: [MIA] }, ''],
  [[], {}, ''],
])('the page gets the name of whoever can log in, and no password: %j %j', (args, data, fragment) => {
  expect(loginFragment(startedWith(args, data))).toBe(fragment)
})

describe.each(['sh', 'bash'])('pasted into %s', (shell) => {
  testOfUnix.each<[string[], Data, object]>([
    [[], { users: [MIA] }, MIA],
    [[], sampleData(), { email: 'ada@example.com', password: 'PASSWORD' }],
    [['--user', 'me:secret'], { users: [MIA] }, { email: 'me', password: 'secret' }],
    [['--user', `${ODD}:a&b+c d%"$HOME'`], {}, { email: ODD, password: `a&b+c d%"$HOME'` }],
    [[], { users: [HASHED, { email: 'bob@example.com', password: 'y' }] }, { email: 'bob@example.com' }],
  ])('two lines log in and list: %j %j', async (args, data, form) => {
    const lines = linesFor(args, data).slice(1)
    const [login = [], list = [], ...others] = await paste(lines, shell)
    expect(login.slice(0, 3)).toEqual(['-s', `${URL}/auth/login`, '-d'])
    expect(formIn(login)).toMatchObject(form)
    expect(list).toEqual([ASKED, '-H', 'Authorization: Bearer eyJ.the-token'])
    expect([lines.length, others]).toEqual([2, []])
  })

  testOfUnix.each<[string[], Data, string, object]>([
    [['--login', '/in'], { users: [{ id: 1, username: 'ada', password: 1 }] }, '/in', { username: 'ada' }],
    [['--login', '/in'], { users: [HASHED] }, '/in', { email: 'ada@example.com', password: 'PASSWORD' }],
    [['--login', 'GET /t', '--login', 'POST /in'], { users: [MIA] }, '/in', MIA],
    [['--login', '/in', '--user', 'me:secret'], {}, '/in', { email: 'me', password: 'secret' }],
  ])('they log in as %j asks', async (args, data, login, form) => {
    const commands = await paste(linesFor(args, data).slice(1), shell)
    expect(commands[0]).toContain(URL + login)
    expect(formIn(commands[0] ?? [])).toMatchObject(form)
    expect(commands[1]).toContain('Authorization: Bearer eyJ.the-token')
  })

  testOfUnix.each(["q&a$HOME'(`b`)", 'a;b|c<d>', '"a"*!~\\', '[::1]'])(
    'they ask for an address with %s',
    async (name) => {
      const asked = `${URL}/${name}`
      const commands = await paste(linesFor(['--user', 'me:x'], {}, { asked }).slice(1), shell)
      expect(commands[1]?.[0]).toBe(asked)
    },
  )
})

it('a password is not shown that stands in a file', async () => {
  await writeFile('json-server.json', '{"user": "me:hidden"}')
  expect(linesFor([], {})[0]).toMatch(/as me,.*PASSWORD/)
  expect(linesFor([], sampleData()).join()).not.toMatch(/hidden|lovelace/)
})

testOfUnix('a certificate that the machine does not know is taken', async () => {
  await writeFile('cert.pem', '')
  const args = ['--cert', 'cert.pem', '--key', 'cert.pem', '--user', 'me:x']
  const commands = await paste(linesFor(args, {}).slice(1), 'sh')
  expect(commands.map(([first]) => first)).toEqual(['-k', '-k'])
})

describe('in PowerShell', () => {
  const lines = (args: readonly string[], data: Data = {}, asked = ASKED) =>
    linesFor(args, data, { asked, shell: 'powershell' }).slice(1)

  it('the lines are of its own commands', () => {
    expect(lines(['--user', "o'hara:x y"])).toEqual([
      `$TOKEN = (Invoke-RestMethod ${URL}/auth/login -Method Post -Body @{ email = 'o''hara'; password = 'x y' }).access_token`,
      `Invoke-RestMethod ${ASKED} -Headers @{ Authorization = "Bearer $TOKEN" }`,
    ])
  })

  it.each(["'", '‘', '’', '‚', '‛'])('a quote is doubled in a name and in an address: %s', (quote) => {
    const [login = '', list = ''] = lines(['--user', `a${quote}b:x`], {}, `${URL}/a${quote}b`)
    expect(login).toContain(`email = 'a${quote}${quote}b'`)
    expect(list).toContain(`/a${quote}${quote}b'`)
  })

  it.each<[unknown, string]>([
    [undefined, ').access_token'],
    ['$token', ' })'],
    [{ data: { 'x-token': '$token' } }, ").data.'x-token'"],
    [{ tokens: ['$refresh', { jwt: '$token' }] }, ').tokens[1].jwt'],
  ])('the token is taken out of a response that is %j', async (response, end) => {
    await writeFile('json-server.json', JSON.stringify({ login: '/in', 'login-response': response }))
    expect(lines([], { users: [MIA] })[0]?.endsWith(end)).toBe(true)
  })

  it('the token is taken out of a cookie, and a certificate that it does not know is taken', async () => {
    await writeFile(
      'json-server.json',
      '{"login": "/in", "login-response": {}, "token-in": "cookie:session"}',
    )
    await writeFile('cert.pem', '')
    const [login, list] = lines(['--cert', 'cert.pem', '--key', 'cert.pem'], { users: [MIA] })
    expect(login).toContain("-SkipCertificateCheck).Headers['Set-Cookie'])")
    expect(list).toContain(' -SkipCertificateCheck')
  })
})

describe('the usual shell', () => {
  const { platform, env } = process
  const standIn = (name: string, given: NodeJS.ProcessEnv) => {
    Object.defineProperty(process, 'platform', { value: name })
    process.env = given
  }
  afterEach(() => standIn(platform, env))

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['win32', {}, 'powershell'],
    ['win32', { MSYSTEM: 'MINGW64' }, 'sh'],
    ['win32', { SHELL: '/usr/bin/bash' }, 'sh'],
    ['linux', {}, 'sh'],
  ])('on %s with %j is that of %s', (name, given, shell) => {
    standIn(name, given)
    expect(usualShell()).toBe(shell)
  })
})

it('no login is proposed whose response has no token', async () => {
  const data = { users: [MIA] }
  await writeFile('json-server.json', '{"login": "/in", "login-response": {"ok": true}}')
  expect(linesFor([], data)).toEqual([])
  expect(linesFor(['--token-in', 'x-token'], data)).toEqual([])
  expect(linesFor(['--token-in', 'cookie:session'], data)[1]).toContain(' -is ')
})

it('a sign-up is proposed where nobody can log in, unless it would be refused', () => {
  const args = ['--login', '/in', '--sign-up', '/register']
  expect(linesFor(args, { users: [] })[1]).toContain(`${URL}/register`)
  expect(linesFor(args, { users: [MIA] })[1]).toContain(`${URL}/in`)
  expect(linesFor([...args, '--read-only'], { users: [] })).toEqual([])
  expect(linesFor(args, { posts: [] })).toEqual([])
})

it.each(['\ud800', '\u001b[2J'])('no login is proposed of a stranger whose name has %j', (text) => {
  const users = [{ email: `a${text}`, password: 'x' }]
  const bob = { email: 'bob@example.com', password: 'y' }
  for (const args of [[], ['--login', '/in']]) {
    expect(linesFor(args, { users })).toEqual([])
    expect(linesFor(args, { users: [...users, bob] })[0]).toContain(bob.email)
  }
})
