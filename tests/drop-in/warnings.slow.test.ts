import { newFolder, removeFolders, sampleData } from '../support/data'
import { killAll, Launched } from '../support/process'

const DATA = JSON.stringify(sampleData())

afterAll(async () => {
  killAll()
  await removeFolders()
})

/** The standard error of a start with `--quiet`, which keeps warnings. */
async function warnings(args: string, files: Record<string, string> = {}): Promise<string[]> {
  const folder = await newFolder({ 'db.json': DATA, ...files })
  const server = await Launched.listening({ folder, args: [...args.split(' '), '--port', '0', '--quiet'] })
  await server.warns(/\n/)
  await server.stop()
  expect(server.stdout).toBe('')
  return server.stderr.split('\n').filter((line) => line !== '')
}

it.each<[string, Record<string, string>, string[]]>([
  [
    'db.json --colour red --cors --prot 1 other.json',
    {},
    [
      'Warning: --colour is ignored: there is no such flag, see --help.',
      'Warning: --cors is ignored: it is on by default, and --no-cors turns it off.',
      'Warning: --prot is ignored: did you mean --port?',
      'Warning: other.json is ignored: the data file is db.json.',
    ],
  ],
  [
    'db.json --fks _id --foreign-key-suffix _id --readOnly=false --colour-scheme red',
    {},
    ['Warning: --colour-scheme is ignored: there is no such flag, see --help.'],
  ],
  [
    'db.json',
    { 'json-server.json': '{"prot": 3000, "cors": true, "port": 0}' },
    [
      'Warning: "prot" in json-server.json is ignored: did you mean "port" in json-server.json?',
      'Warning: "cors" in json-server.json is ignored: it is on by default, and "no-cors" in json-server.json turns it off.',
    ],
  ],
  [
    'db.json -r rules.json',
    { 'rules.json': '{"/a/:id": "/posts/:other", "/b": 1, "/c/*": "/$1", "d": "/posts", "*!": "/$1"}' },
    [
      'Warning: A rule in rules.json is ignored: the rule "/a/:id" has no parameter ":other".',
      'Warning: A rule in rules.json is ignored: the rule "/b" must lead to a path, in quotes.',
      'Warning: A rule in rules.json is ignored: the rule "d" must begin with a slash.',
    ],
  ],
  [
    'db.json -s missing',
    {},
    ['Warning: The static folder missing does not exist, so no files are served: check --static.'],
  ],
  [
    'db.json --public news',
    {},
    ['Warning: db.json has no collection "news" that could be public: check --public.'],
  ],
  [
    'db.json --public users',
    {},
    [
      'Warning: Anybody can read the passwords in "users": check --public and --allow. A middleware that leaves them out ' +
        'is not enough, because they can be guessed by filters such as password_like.',
    ],
  ],
])('"%s" with %j: a warning line for each thing that is ignored', async (args, files, expected) => {
  expect(await warnings(args, files)).toEqual(expected)
})
