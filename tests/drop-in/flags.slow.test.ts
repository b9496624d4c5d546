import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROWS } from '../../lib/cli/flags/flags'
import { isRecord } from '../../lib/is-record'
import { newFolder, projectFiles, removeFolders } from '../support/data'
import { json } from '../support/http'
import { FROM_SOURCE, killAll, Launched, PROGRAMS } from '../support/process'
import { both, type Pair, type Side, startPair } from './pair'

type Group = 'values' | 'switches'
type Form = 'long' | 'alias' | 'config'
const FORMS: readonly Form[] = ['long', 'alias', 'config']

/**
 * Flags that do not get in each other's way, in every form. The array of middlewares swallows what follows
 * it, and where the file is watched json-server lets go of its port and binds it again.
 */
const ARGUMENTS: Record<Group, Record<Form, (port: number) => string>> = {
  values: {
    long: () =>
      `--watch db.json --port 0 --host 127.0.0.1 --routes rules.json --static files --snapshots snaps
       --id _id --foreignKeySuffix _id --middlewares ./hello.js ./more.js`,
    alias: () =>
      `-w db.json -p 0 -H 127.0.0.1 -r rules.json -s files -S snaps
       -i _id --fks _id -m ./hello.js ./more.js`,
    config: () => 'db.json --config mine.json',
  },
  switches: {
    long: (port) =>
      `db.json --port ${port} --host 127.0.0.1 --read-only --no-cors --no-gzip --delay 150 --quiet`,
    alias: (port) => `db.json -p ${port} -H 127.0.0.1 --ro --nc --ng -d 150 -q`,
    config: () => 'db.json',
  },
}

/** The same flags as configuration files. */
function configFiles(port: number): Record<string, string> {
  return {
    'mine.json': JSON.stringify({
      watch: true,
      port: 0,
      host: '127.0.0.1',
      routes: 'rules.json',
      static: 'files',
      snapshots: 'snaps',
      id: '_id',
      foreignKeySuffix: '_id',
      middlewares: ['./hello.js', './more.js'],
    }),
    'json-server.json': JSON.stringify({
      port,
      host: '127.0.0.1',
      'read-only': true,
      'no-cors': true,
      'no-gzip': true,
      delay: 150,
      quiet: true,
    }),
  }
}

let none: Pair
const pairs: Partial<Record<`${Group} ${Form}`, Pair>> = {}

async function start(group: Group, form: Form): Promise<void> {
  pairs[`${group} ${form}`] = await startPair((port) => ({
    args: ARGUMENTS[group][form](port).split(/\s+/),
    files: form === 'config' ? { ...projectFiles(), ...configFileOf(group, port) } : undefined,
  }))
}

/** `--config` names the file of one group; the other's is found by itself. */
function configFileOf(group: Group, port: number): Record<string, string> {
  const name = group === 'values' ? 'mine.json' : 'json-server.json'
  return { [name]: configFiles(port)[name] ?? '' }
}

function pairOf(group: Group, form: Form): Pair {
  const pair = pairs[`${group} ${form}`]
  if (pair === undefined) throw new Error(`${group} ${form} has not been started.`)
  return pair
}

function same<Finding>(finding: Finding): Record<keyof Pair, Finding> {
  return { 'json-server': finding, ours: finding }
}

beforeAll(async () => {
  await Promise.all([
    startPair(() => ({ args: ['db.json', '--port', '0', '--host', '127.0.0.1'] })).then((pair) => {
      none = pair
    }),
    ...FORMS.flatMap((form) => [start('values', form), start('switches', form)]),
  ])
})
afterAll(async () => {
  await killAll()
  await removeFolders()
})

const status = (line: string) => async (side: Side) => (await side.send(line)).status
const text = (line: string) => async (side: Side) => (await side.send(line)).text
const header = (name: string) => async (side: Side) => {
  const headers = { Origin: 'http://example.com', 'Accept-Encoding': 'gzip' }
  return (await side.send('GET /words', { headers })).headers[name]
}
const delays = ({ timers }: Launched) => timers.filter((milliseconds) => milliseconds === 150).length
const ratings = async (side: Side) => {
  const pages = json(await side.send('GET /pages?_embed=ratings'))
  const [page]: unknown[] = Array.isArray(pages) ? pages : []
  return isRecord(page) ? page.ratings : page
}
describe.each(FORMS)('flags, %s form: same as json-server', (form) => {
  it('port and host', () => {
    for (const { server, port } of Object.values(pairOf('switches', form))) {
      expect(server.addresses).toEqual([{ address: '127.0.0.1', family: 'IPv4', port }])
    }
  })

  it.each<[string, (side: Side) => Promise<unknown>, unknown, unknown]>([
    ['routes', status('GET /api/pages/1'), 404, 200],
    ['routes with a query', status('GET /first-word'), 404, 200],
    ['static', text('GET /note.txt'), '{}', 'A note.'],
    ['middlewares, in their order', header('x-hello'), undefined, 'one, two, three'],
    ['id', status('GET /items/k1'), 404, 200],
    ['foreignKeySuffix', ratings, [], [{ id: 1, _id: 1, page_id: 1, stars: 5 }]],
  ])('%s', async (_flag, find, without, withFlag) => {
    expect(await both(none, find)).toEqual(same(without))
    expect(await both(pairOf('values', form), find)).toEqual(same(withFlag))
  })

  it('routes: /__rules shows them', async () => {
    const rules = JSON.parse(projectFiles()['rules.json'] ?? '')
    expect(await both(pairOf('values', form), async (side) => json(await side.send('GET /__rules')))).toEqual(
      same(rules),
    )
  })

  it('snapshots: s and Enter write one into the folder', async () => {
    const take = async ({ server, folder, send }: Side) => {
      server.type('s\n')
      await server.prints(/Saved (a )?snapshot to snaps\/db-\d+\.json/)
      const [file = ''] = (await readdir(path.join(folder, 'snaps'))).filter((name) => name !== '.keep')
      expect(file).toMatch(/^db-\d+\.json$/)
      const saved: unknown = JSON.parse(await readFile(path.join(folder, 'snaps', file), 'utf8'))
      expect(saved).toEqual(json(await send('GET /db')))
    }
    await both(pairOf('values', form), take)
  })

  it('delay', async () => {
    const delayed = async ({ server, send }: Side) => {
      const before = delays(server)
      await send('GET /words')
      await server.until(() => delays(server) > before)
    }
    await both(pairOf('switches', form), delayed)
  })

  it('read-only: a GET works, a change is refused', async () => {
    const find = async ({ send }: Side) => [
      (await send('GET /tags')).status,
      (await send('POST /tags', { body: {} })).status,
      (await send('DELETE /tags/a1b2')).status,
      json(await send('GET /tags')),
    ]
    const tags = [{ id: 'a1b2', label: 'tea' }]
    expect(await both(pairOf('switches', form), find)).toEqual(same([200, 403, 403, tags]))
  })

  it('quiet: prints nothing', async () => {
    expect(await both(none, ({ server }) => server.stdout.length > 100)).toEqual(same(true))
    await both(pairOf('switches', form), status('GET /posts/1'))
    expect(await both(pairOf('switches', form), ({ server }) => server.stdout + server.stderr)).toEqual(
      same(''),
    )
  })
})

describe.each(FORMS)('flags, %s form: what json-server gets wrong', (form) => {
  it('read-only: HEAD is 403 there; here HEAD, OPTIONS and the login go through', async () => {
    const pair = pairOf('switches', form)
    expect(await both(pair, status('HEAD /posts'))).toEqual({ 'json-server': 403, ours: 200 })
    // There, yargs leaves CORS on in the long form, and CORS responds to OPTIONS.
    const theirs = form === 'long' ? 204 : 403
    expect(await both(pair, status('OPTIONS /posts'))).toEqual({ 'json-server': theirs, ours: 200 })
    const body = { email: 'ada@example.com', password: 'lovelace' }
    expect((await pair['json-server'].send('POST /auth/login', { body })).status).toBe(403)
    expect((await pair.ours.send('POST /auth/login', { body })).status).toBe(200)
  })

  it('no-cors and no-gzip: yargs reads the long forms as negations there, which do nothing', async () => {
    const cors = header('access-control-allow-origin')
    expect(await both(none, cors)).toEqual(same('http://example.com'))
    expect(await both(none, header('content-encoding'))).toEqual(same('gzip'))
    expect(await both(pairOf('switches', form), cors)).toEqual({
      'json-server': form === 'long' ? 'http://example.com' : undefined,
      ours: undefined,
    })
    expect(await both(pairOf('switches', form), header('content-encoding'))).toEqual({
      'json-server': form === 'long' ? 'gzip' : undefined,
      ours: undefined,
    })
  })

  it('watch: both reload a changed file, json-server by listening again, ours without', async () => {
    const pair = pairOf('values', form)
    const change = async ({ name, server, folder, send }: Side) => {
      if (name === 'json-server') await server.prints(/Watching/)
      const data = { ...JSON.parse(projectFiles()['db.json'] ?? ''), fresh: [{ _id: 1 }] }
      await writeFile(path.join(folder, 'new.json'), JSON.stringify(data))
      await rename(path.join(folder, 'new.json'), path.join(folder, 'db.json'))
      await server.prints(/db\.json (has changed|was reloaded)/)
      if (name === 'json-server') await server.listens(2)
      return [json(await send('GET /fresh')), server.addresses.length]
    }
    expect(await both(pair, change)).toEqual({ 'json-server': [[{ _id: 1 }], 2], ours: [[{ _id: 1 }], 1] })
  })
})

describe('--help and --version', () => {
  const run = async (program: readonly string[], flag: string): Promise<string> => {
    const launched = new Launched({ program, folder: await newFolder({}), args: [flag] })
    expect(await launched.exited).toBe(0)
    return launched.stdout
  }

  it('-h, -v and the word help, like --help and --version, end with 0; the help has every flag of json-server', async () => {
    const [theirs, ours, alias, word, version, shortVersion] = await Promise.all([
      run(PROGRAMS['json-server'], '--help'),
      run(PROGRAMS.ours, '--help'),
      run(PROGRAMS.ours, '-h'),
      run(PROGRAMS.ours, 'help'),
      run(FROM_SOURCE, '--version'),
      run(PROGRAMS.ours, '-v'),
    ])
    const flags = theirs.match(/(?<=^ +|, )--?[A-Za-z][\w-]*/gm) ?? []
    expect(flags.length).toBeGreaterThan(30)
    for (const flag of flags) expect(ours).toMatch(new RegExp(`(?<![\\w-])${flag}(?![\\w-])`))
    const named = ROWS.filter(({ flag }) => new RegExp(`--${flag}[ ,]`).test(ours))
    expect(named).toEqual(ROWS.filter(({ inFileOnly }) => !inFileOnly))
    expect(ours).toContain('33000')
    expect(ours.match(/^\S.*:$/gm)).toEqual(['Own flags:', "json-server's flags:", 'Options:', 'Examples:'])
    expect(ours).toMatch(
      /Examples:\n.+ --watch db\.json --port 3001\n.+ db\.json --user me:secret --docs\n\nMore: .*README\.md/,
    )
    expect(ours.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(alias).toBe(ours)
    expect(word).toBe(ours)
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(shortVersion).toBe(version)
  })
})
