import { readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { PostgresData } from '../../lib/data/postgresql-data'
import { ADA, makeFolder, sampleData } from '../support/data'
import { keptFrom, listenTo, recordsOf } from '../support/events'
import { ask, authorized, json, logIn, until } from '../support/http'
import { client, killAll, Launched, PROGRAMS, ROOT, type Send } from '../support/process'
import { CommitProxy } from './commit-proxy'
import { PostgresqlServer, postgresqlPrograms } from './postgresql-server'
import { faultsOf, type Outcomes, post } from './traffic'

const page = readFileSync(path.join(ROOT, 'docs/deploying.md'), 'utf8')
const functions = Array.from(page.matchAll(/```js\n(const \{ createApp.*?)```/gs), ([, code = '']) => code)

/** Refuses what is sent without the title that nobody has yet, as a user's middleware would. */
const UNIQUE_TITLES = `module.exports = (request, response, next) => {
  const isTaken = request.method === 'POST' && request.app.db.get('posts').find({ title: request.body.title }).value()
  if (isTaken) response.status(409).json({})
  else next()
}`

/** What Node says where the package is not installed. */
const WITHOUT_PG = `const Module = require('node:module')
const { _resolveFilename } = Module
Module._resolveFilename = (name, ...rest) => {
  if (name === 'pg') throw Object.assign(new Error('Cannot find it'), { code: 'MODULE_NOT_FOUND' })
  return _resolveFilename(name, ...rest)
}`

const OTHER_SESSIONS = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`

const isInstalled = postgresqlPrograms() !== undefined
if (!isInstalled) process.stderr.write('PostgreSQL is not installed, so its tests are skipped.\n')
const describeWithPostgresql = isInstalled ? describe : describe.skip

interface Server {
  launched: Launched
  send: Send
}

describeWithPostgresql('PostgreSQL as a source', () => {
  let folder: string
  let database: PostgresqlServer
  let proxyFolder: string

  beforeAll(async () => {
    folder = await makeFolder()
    database = new PostgresqlServer(folder)
    proxyFolder = path.join(folder, 'proxy')
    await mkdir(proxyFolder)
    await mkdir(path.join(folder, 'node_modules/json-server-bearer'), { recursive: true })
    await symlink(path.join(ROOT, 'node_modules/pg'), path.join(folder, 'node_modules/pg'))
    const own = `module.exports = require(${JSON.stringify(PROGRAMS.ours[0])})`
    await writeFile(path.join(folder, 'node_modules/json-server-bearer/index.js'), own)
    await mkdir(path.join(folder, 'api'))
    const serving = `require('node:http').createServer(require('./api/index.cjs')).listen(0, '127.0.0.1')`
    await writeFile(path.join(folder, 'serve.cjs'), serving)
    await writeFile(path.join(folder, 'unique-titles.cjs'), UNIQUE_TITLES)
    const schemas = { posts: { properties: { title: { unique: true } } } }
    await writeFile(path.join(folder, 'schemas.json'), JSON.stringify(schemas))
    await writeFile(path.join(folder, 'without-pg.cjs'), WITHOUT_PG)
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ ...sampleData(), posts: [] }))
    await database.start()
  })

  afterEach(async () => {
    await killAll()
    await database.stop('immediate')
    await database.start()
    await database.ask('DROP TABLE IF EXISTS mock')
  })

  afterAll(async () => {
    await database.stop('immediate')
    await rm(folder, { recursive: true, force: true })
  })

  const argsFor = (url: string, flags: readonly string[]) => [url, '--host', '127.0.0.1', ...flags]

  async function start(
    url = database.url,
    flags: readonly string[] = ['--fill', 'db.json'],
  ): Promise<Server> {
    const launched = await Launched.listening({ folder, args: argsFor(url, flags) })
    return { launched, send: await client(launched) }
  }

  /** A start that fails: its exit code and what it prints. */
  async function failedStart(url: string, env: Record<string, string> = {}, flags: readonly string[] = []) {
    const launched = new Launched({ folder, args: argsFor(url, flags), env })
    return { code: await launched.exited, output: launched.output }
  }

  const startMany = (count: number, flags?: readonly string[]) =>
    Promise.all(Array.from({ length: count }, () => start(database.url, flags)))

  const connection = () => new Client({ connectionString: database.url })

  const postsOf = async ({ send }: Server): Promise<unknown[]> => Object(json(await send('GET /posts')))

  const titlesOf = async (server: Server) => (await postsOf(server)).map((record) => Object(record).title)

  const add = ({ send }: Server, title: string) => send('POST /posts', { body: { title } })

  /** The records, as soon as all servers have the same: that is an event of the database, not of a server. */
  async function agreed(servers: readonly Server[]): Promise<unknown[]> {
    for (;;) {
      const [first = [], ...others] = await Promise.all(servers.map(postsOf))
      if (others.every((posts) => JSON.stringify(posts) === JSON.stringify(first))) return first
    }
  }

  async function untilTitles(server: Server, titles: readonly string[]): Promise<void> {
    while (JSON.stringify(await titlesOf(server)) !== JSON.stringify(titles));
  }

  /** 32 clients at each server, until there are so many responses. */
  function traffic(servers: readonly Server[], most: number, during: (count: number) => void = () => {}) {
    const goesOn = (count: number) => {
      during(count)
      return count < most
    }
    return post(
      servers.map(({ send }) => send),
      { clients: 32, goesOn },
    )
  }

  async function expectNothingLost(servers: readonly Server[], outcomes: Outcomes): Promise<void> {
    expect(faultsOf(await agreed(servers), outcomes)).toEqual([])
  }

  describe('the start', () => {
    test('two servers with private records, and a user at each: what is stored has the records of both', async () => {
      const bo = { email: 'bo@example.com', password: 'bread' }
      const users = [
        { id: 1, ...ADA },
        { id: 2, ...bo },
      ]
      const file = path.join(folder, 'own.json')
      await writeFile(file, JSON.stringify({ users, notes: [] }))
      const flags = ['--fill', 'own.json', '--private', 'notes', '--no-public']
      const [one, two] = [await start(database.url, flags), await start(database.url, flags)]
      const sendAs = async ({ launched }: Server, person: typeof ADA) => {
        const headers = authorized(await logIn(launched.url, person))
        return async (method: string, target: string, body?: object) =>
          ask(launched.url, { method, path: target, headers, ...(body && { body: JSON.stringify(body) }) })
      }
      const [ada, other] = [await sendAs(one, ADA), await sendAs(two, bo)]
      const many = Array.from({ length: 10 }, (_, index) => index)
      const answers = await Promise.all(
        many.flatMap((text) => [ada, other].map((as) => as('POST', '/notes', { text }))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const ids = answers.map((answer) => Object(json(answer)).id)
      expect(new Set(ids).size).toBe(20)
      for (const [as, userId] of [
        [ada, 1],
        [other, 2],
      ] as const) {
        const notes: unknown = json(await as('PATCH', `/notes/${ids[userId - 1]}`, { text: 'changed' }))
        expect(notes).toMatchObject({ text: 'changed', userId })
        const own = Object.values(Object(json(await as('GET', '/notes'))))
        expect(own).toHaveLength(10)
        expect(own).toEqual(own.map(() => expect.objectContaining({ userId })))
      }
    })

    it('lets three servers that start at once share the data', async () => {
      const servers = await startMany(3)
      expect(servers.map(({ launched }) => launched.stderr)).toEqual(['', '', ''])
      expect(servers[0]?.launched.stdout).toContain('saved to postgresql://')
      const outcomes = await traffic(servers, 1500)
      expect([outcomes.refused.size, outcomes.unknown.size]).toEqual([0, 0])
      expect(await agreed(servers)).toHaveLength(outcomes.made.size)
      await expectNothingLost(servers, outcomes)
    })

    it('begins as {} without a file, which one with a file fills', async () => {
      const empty = await PostgresData.open(database.url)
      expect(empty.state).toEqual({})
      const server = await start()
      expect(await postsOf(server)).toEqual([])
      while (Object.keys(empty.state).length === 0) await postsOf(server)
      expect(empty.state).toEqual({ ...sampleData(), posts: [] })
      await empty.close()
    })

    it('is filled from a folder as well', async () => {
      await mkdir(path.join(folder, 'filling'), { recursive: true })
      for (const [name, resource] of Object.entries({ posts: [{ id: 1 }], users: [{ id: 1, ...ADA }] }))
        await writeFile(path.join(folder, 'filling', `${name}.json`), JSON.stringify(resource))
      expect(await postsOf(await start(database.url, ['--fill', 'filling']))).toEqual([{ id: 1 }])
    })

    it('reads the file only to fill an empty database, and keeps all when every server is gone', async () => {
      const first = await start()
      expect((await add(first, 'kept')).status).toBe(201)
      expect(await first.launched.stop()).toBe(0)
      expect(await titlesOf(await start(database.url, ['--fill', 'missing.json']))).toEqual(['kept'])
    })

    it('ends with one sentence where the port is taken, or a login cannot be used', async () => {
      const first = await start()
      const port = ['--port', new URL(first.launched.url).port]
      for (const [flags, said] of [
        [port, /^Error: Port \d+ is taken [^\n]*\n$/],
        [['--refresh-once'], /^Error: --refresh-once changes nothing [^\n]*\n$/],
        [['--login', '/x', '--sign-up', '/x'], /^Error: POST \/x cannot be both [^\n]*\n$/],
      ] as const) {
        const { code, output } = await failedStart(database.url, {}, flags)
        expect([code, output]).toEqual([1, expect.stringMatching(said)])
      }
    })

    it('refuses a table of another kind, and leaves it as it is', async () => {
      await database.ask('CREATE TABLE mock (name text)')
      const { code, output } = await failedStart(database.url)
      expect(code).toBe(1)
      expect(output).toMatch(/^Error: [^\n]*another kind[^\n]*\.\n$/)
      expect(await database.ask('SELECT count(*) FROM mock')).toBe('0')
    })

    it.each([
      ['a text that cannot be served', () => database.url, 'Error: [^\\n]*posts[^\\n]*\\.\\n'],
      ['a database that is not there', () => database.urlOf('/nowhere'), 'Error: [^\\n]*PGPASSWORD\\.\\n'],
    ])('says what is wrong with %s', async (_case, url, said) => {
      await database.ask(`CREATE TABLE mock (id integer PRIMARY KEY DEFAULT 1, version integer NOT NULL DEFAULT 1,
        mark text NOT NULL DEFAULT '', data text NOT NULL)`)
      await database.ask(`INSERT INTO mock (data) VALUES ('{"posts": 1}')`)
      const { code, output } = await failedStart(url())
      expect(code).toBe(1)
      expect(output).toMatch(new RegExp(`^${said}$`))
    })

    it('says what to install where the package is missing', async () => {
      const env = { NODE_OPTIONS: `--require ${path.join(folder, 'without-pg.cjs')}` }
      const { code, output } = await failedStart(database.url, env)
      expect([code, output]).toEqual([1, expect.stringContaining('npm install pg')])
    })

    it('shows no password: not in a sentence, the log or the list of processes', async () => {
      const url = database.url.replace('postgres@', 'postgres:lovelace@')
      const server = await start(`${url}&password=lovelace`)
      await add(server, 'one')
      await database.stop('immediate')
      await add(server, 'two')
      await database.start()
      expect((await add(server, 'three')).status).toBe(201)
      expect(server.launched.output).not.toContain('lovelace')
      if (process.platform === 'linux')
        expect(readFileSync(`/proc/${server.launched.pid}/cmdline`, 'utf8')).not.toContain('lovelace')
      const failed = await failedStart('postgresql://ada:lovelace@[bad/database')
      expect([failed.code, failed.output]).toEqual([1, expect.not.stringContaining('lovelace')])
    })
  })

  it.each([
    ['in memory', 0, [201, 201]],
    ['with the database', 1, [201, 409]],
  ])('lets `createApp` be a function of a host, %s', async (_case, number, statuses) => {
    await writeFile(path.join(folder, 'api/index.cjs'), functions[number] ?? '')
    const options = { folder, program: ['serve.cjs'], args: [], env: { DATABASE_URL: database.url } }
    const instances = await Promise.all([1, 2].map(() => Launched.listening(options)))
    const made: number[] = []
    for (const instance of instances) {
      const send = await client(instance)
      made.push((await send('POST /tags', { body: { id: 'made' } })).status)
      expect((await send('GET /tags/made')).status).toBe(200)
    }
    expect(made).toEqual(statuses)
  })

  it('lets a function of a host start before the database', async () => {
    await writeFile(path.join(folder, 'api/index.cjs'), functions[1] ?? '')
    await database.stop('immediate')
    const env = { DATABASE_URL: database.url }
    const instance = await Launched.listening({ folder, program: ['serve.cjs'], args: [], env })
    const refused = await ask(instance.url, { path: '/blogs' })
    expect([refused.status, json(refused)]).toEqual([503, { error: expect.stringMatching(/^[^\n]*\.$/) }])
    await database.start()
    expect((await ask(instance.url, { path: '/blogs' })).status).toBe(200)
  })

  describe('a change', () => {
    it('is shown by the other servers', async () => {
      const servers = await startMany(2)
      const [one, other] = servers
      if (one === undefined || other === undefined) throw new Error('Two were started.')
      expect((await add(one, 'kept')).status).toBe(201)
      await untilTitles(other, ['kept'])
    })

    it('is in the streams of the other servers', async () => {
      const servers = await startMany(2)
      const streams = await Promise.all(
        servers.map(async ({ launched: { url } }) => listenTo(url, '/posts', authorized(await logIn(url)))),
      )
      await traffic(servers, 300)
      const posts = recordsOf(await agreed(servers))
      for (const { events } of streams) {
        await until(() => keptFrom(events).size === posts.size)
        expect(keptFrom(events)).toEqual(posts)
      }
    })

    it('is checked by middlewares against the newest data, by one of all servers at a time', async () => {
      const servers = await startMany(3, ['--fill', 'db.json', '--middlewares', 'unique-titles.cjs'])
      for (let round = 0; round < 20; round += 1) {
        const answers = await Promise.all(servers.map((server) => add(server, `round ${round}`)))
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      }
    })

    it('of 40 POSTs at once with one unique title, on two servers, one is stored', async () => {
      const servers = await startMany(2, ['--fill', 'db.json', '--schemas', 'schemas.json'])
      const sent = Array.from({ length: 20 }, () => servers.map((server) => add(server, 'the same'))).flat()
      const statuses = (await Promise.all(sent)).map(({ status }) => status)
      expect(statuses.sort()).toEqual([201, ...Array(39).fill(422)])
      expect(await agreed(servers)).toHaveLength(1)
    })

    it.each([
      ['a lost connection', `SELECT pg_terminate_backend(pid) ${OTHER_SESSIONS}`, 3],
      ['a table that somebody has emptied', 'DELETE FROM mock', 1],
      ['a table that somebody has dropped', 'DROP TABLE mock', 1],
    ])('is made after %s, on one connection', async (_case, statement, kept) => {
      const server = await start()
      for (const title of ['one', 'two', 'three']) {
        await database.ask(statement)
        expect((await add(server, title)).status).toBe(201)
      }
      expect(await postsOf(server)).toHaveLength(kept)
      const connections = () => database.ask(`SELECT count(*), max(state) ${OTHER_SESSIONS}`)
      let seen = await connections()
      // A look at the row takes a moment.
      while (seen.startsWith('1|') && seen !== '1|idle') seen = await connections()
      expect(seen).toBe('1|idle')
    })

    it('is refused, and nothing is changed, when the database refuses it', async () => {
      const server = await start()
      await database.ask(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE UPDATE ON mock FOR EACH ROW EXECUTE FUNCTION refuse()`)
      const refused = await add(server, 'lost')
      expect([refused.status, json(refused)]).toEqual([
        503,
        { error: expect.stringContaining('was not made') },
      ])
      expect(await postsOf(server)).toEqual([])
      expect(server.launched.stderr).toContain('No space left on device')
      await database.ask('DROP FUNCTION refuse CASCADE')
      expect((await add(server, 'kept')).status).toBe(201)
      expect(await titlesOf(server)).toEqual(['kept'])
    })

    it('is refused while the database is away, when reads go on, and the next one is made', async () => {
      const server = await start()
      await add(server, 'before')
      await database.stop('immediate')
      const refused = await add(server, 'away')
      expect([refused.status, json(refused)]).toEqual([
        503,
        { error: expect.stringContaining('was not made') },
      ])
      expect(await titlesOf(server)).toEqual(['before'])
      await database.start()
      expect((await add(server, 'after')).status).toBe(201)
      expect(await titlesOf(server)).toEqual(['before', 'after'])
    })

    it('is refused while somebody keeps the row locked, which the response and the log say', async () => {
      const server = await start()
      const holder = connection()
      await holder.connect()
      await holder.query('BEGIN; SELECT id FROM mock FOR UPDATE')
      const refused = await add(server, 'lost')
      expect([refused.status, json(refused)]).toEqual([503, { error: expect.stringContaining('locked') }])
      expect(server.launched.stderr).toContain('lock timeout')
      await holder.end()
      expect((await add(server, 'kept')).status).toBe(201)
      expect(await titlesOf(server)).toEqual(['kept'])
    })
  })

  describe('outside a turn', () => {
    it('a change is made, or rejected where another server was first, and is gone', async () => {
      const [one, other] = [await PostgresData.open(database.url), await PostgresData.open(database.url)]
      const changes = [one.commit({ ...one.state, one: [] }), other.commit({ ...other.state, other: [] })]
      const outcomes = await Promise.allSettled(changes)
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const made = outcomes[0]?.status === 'fulfilled' ? { one: [] } : { other: [] }
      expect(outcomes).toContainEqual({
        status: 'rejected',
        reason: expect.objectContaining({ status: 503, message: expect.stringContaining('was not made') }),
      })
      await Promise.all([one.refresh(), other.refresh()])
      expect([one.state, other.state]).toEqual([made, made])
      await Promise.all([one.close(), other.close()])
    })

    it('a change that follows another one is written on its own, so that it can be rejected on its own', async () => {
      const source = await PostgresData.open(database.url)
      const [holder, editor, watcher] = [connection(), connection(), connection()]
      await Promise.all([holder.connect(), editor.connect(), watcher.connect()])
      const waiting = async (count: string) => {
        const ask = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
        while (!JSON.stringify(await watcher.query(ask)).includes(`"count":"${count}"`));
      }
      await holder.query('BEGIN; SELECT id FROM mock FOR UPDATE')
      const first = source.commit({ first: [] })
      await waiting('1')
      const second = source.commit({ ...source.state, second: [] })
      // Locks of a table are given in the order in which they were asked for, other than those of a row.
      const theirs = editor.query(`
        BEGIN; LOCK TABLE mock IN EXCLUSIVE MODE; UPDATE mock SET data = '{"theirs":[]}'; COMMIT`)
      await waiting('2')
      await holder.end()
      const outcomes = await Promise.allSettled([first, second, theirs])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      await source.refresh()
      expect(source.state).toEqual({ theirs: [] })
      await Promise.all([source.close(), editor.end(), watcher.end()])
    })

    it('a change is made before the source is closed, and none after that', async () => {
      const source = await PostgresData.open(database.url)
      const made = source.commit({ made: [] })
      await source.close()
      await made
      await expect(source.commit({ late: [] })).rejects.toMatchObject({ status: 503 })
      expect(source.state).toEqual({ made: [] })
      expect(await database.ask('SELECT data FROM mock')).toContain('made')
    })

    it('many changes are made in their order, next to those of turns', async () => {
      const source = await PostgresData.open(database.url)
      const ids = () => [source.state.ids ?? []].flat()
      const changes = Array.from({ length: 50 }, async (_change, id) => {
        if (id % 2 === 0) await source.refresh()
        await source.commit({ ids: [...ids(), id] })
      })
      await Promise.all(changes)
      expect(ids().sort((one, other) => Number(one) - Number(other))).toEqual(Array.from(changes.keys()))
      await source.close()
      const again = await PostgresData.open(database.url)
      expect(again.state).toEqual({ ids: source.state.ids })
      await again.close()
    })
  })

  describe('an edit by hand', () => {
    const edit = (text: string) =>
      database.ask(`UPDATE mock SET data = '${text}', version = version + 1; NOTIFY mock`)

    it('is shown, also without its notification', async () => {
      const server = await start()
      const text = (title: string) =>
        JSON.stringify({ ...sampleData(), users: [{ id: 1, ...ADA }], posts: [{ id: 1, title }] })
      await edit(text('by hand'))
      await untilTitles(server, ['by hand'])
      await database.ask(`UPDATE mock SET data = '${text('in silence')}'`)
      await untilTitles(server, ['in silence'])
      expect((await add(server, 'more')).status).toBe(201)
      expect(await titlesOf(server)).toEqual(['in silence', 'more'])
    })

    it.each(['', 'no JSON', '{"posts": 1}', '[]'])(
      'as "%s" is never overwritten: reads go on, changes wait until it is mended',
      async (text) => {
        const server = await start()
        await add(server, 'before')
        await edit(text)
        const refused = await add(server, 'lost')
        expect([refused.status, json(refused)]).toEqual([503, { error: expect.stringContaining('saved') }])
        expect(await titlesOf(server)).toEqual(['before'])
        expect(await database.ask('SELECT data FROM mock')).toBe(text)
        await server.launched.warns(/last good/)
        await edit('{"posts": []}')
        expect((await add(server, 'after')).status).toBe(201)
        expect(await titlesOf(server)).toEqual(['after'])
      },
    )
  })

  describe('nothing that was acknowledged is lost, and nothing is made twice,', () => {
    it.each(['SIGKILL', 'SIGTERM'] as const)('when two of three servers get %s', async (signal) => {
      const servers = await startMany(3)
      let killed = 0
      const outcomes = await traffic(servers, 1200, (count) => {
        if (count > 200 * (killed + 1) && killed < 2) servers[killed++]?.launched.kill(signal)
      })
      await expectNothingLost([await start()], outcomes)
      expect(outcomes.made.size).toBeGreaterThan(600)
    })

    it('when the database is killed and starts again', async () => {
      const servers = await startMany(3)
      let restarts = 0
      let restarting = Promise.resolve()
      const outcomes = await traffic(servers, 1500, (count) => {
        if (count <= 300 * (restarts + 1) || restarts === 3) return
        restarts += 1
        restarting = restarting.then(async () => {
          await database.stop('immediate')
          await database.start()
        })
      })
      await restarting
      expect(restarts).toBe(3)
      // None has to be started again.
      await expectNothingLost(servers, outcomes)
    })

    it('when the database ends its sessions again and again', async () => {
      const servers = await startMany(3)
      let ended = 0
      let ending: Promise<unknown> = Promise.resolve()
      const outcomes = await traffic(servers, 1500, (count) => {
        if (count <= 100 * (ended + 1)) return
        ended += 1
        ending = ending.then(() => database.ask(`SELECT pg_terminate_backend(pid) ${OTHER_SESSIONS}`))
      })
      await ending
      await expectNothingLost(servers, outcomes)
      expect(outcomes.made.size).toBeGreaterThan(500)
    })

    it('when a server stands still', async () => {
      const servers = await startMany(3)
      const [still] = servers
      let isStopped = false
      const outcomes = await traffic(servers, 1500, (count) => {
        if (count <= 300 || isStopped) return
        isStopped = true
        still?.launched.kill('SIGSTOP')
        setTimeout(() => still?.launched.kill('SIGCONT'), 3000)
      })
      await expectNothingLost(servers, outcomes)
    })

    it.each(['COMMIT', 'reply'] as const)('when the %s is lost again and again', async (what) => {
      const proxy = new CommitProxy(proxyFolder, database.socket)
      const servers = [await start(database.urlOf(proxyFolder)), await start(), await start()]
      let isOver = false
      let losses = 0
      const losing = (async () => {
        while (!isOver) {
          await Promise.race([proxy.lose(what), new Promise((resolve) => setTimeout(resolve, 2000))])
          losses += 1
          proxy.open()
        }
      })()
      const outcomes = await traffic(servers, 1000)
      isOver = true
      await losing
      await expectNothingLost(servers, outcomes)
      expect(losses).toBeGreaterThan(3)
      await proxy.close()
    })
  })

  describe('a turn that stands still', () => {
    // Beyond what the socket takes: the database waits for the client.
    const LONG = JSON.stringify({ ...sampleData(), posts: [{ id: 1, title: 'x'.repeat(10_000_000) }] })

    it.each([
      ['whose client sends nothing', sampleData()],
      ['whose client reads nothing', JSON.parse(LONG)],
    ])('%s, keeps nobody waiting for ever', async (_case, data) => {
      await writeFile(path.join(folder, 'still.json'), JSON.stringify(data))
      const server = await start(database.url, ['--fill', 'still.json'])
      const turn = `const { Client } = require('pg')
        const client = new Client({ connectionString: process.env.DATABASE_URL, application_name: 'json-server-bearer' })
        client.connect().then(async () => {
          await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 1500; SELECT id FROM mock FOR UPDATE')
          client.query('SELECT data FROM mock').catch(() => {})
          client.connection.stream.pause()
          client.on('error', () => {})
          setTimeout(() => require('node:http').createServer().listen(0, '127.0.0.1'), 100)
        })`
      await writeFile(path.join(folder, 'turn.cjs'), turn)
      const env = { DATABASE_URL: database.url }
      await Launched.listening({ folder, program: ['turn.cjs'], args: [], env })
      expect((await server.send('POST /tags', { body: { id: 'next' } })).status).toBe(201)
    })
  })

  describe('when a commit is lost', () => {
    let proxy: CommitProxy

    beforeEach(() => {
      proxy = new CommitProxy(proxyFolder, database.socket)
    })
    afterEach(() => proxy.close())

    it.each([
      ['COMMIT', 503, []],
      ['reply', 201, ['mine']],
    ] as const)('with its %s, the row says what was made', async (what, status, titles) => {
      const [one, other] = [await start(database.urlOf(proxyFolder)), await start()]
      const lost = proxy.lose(what)
      const answer = add(one, 'mine')
      await lost
      proxy.open()
      const { text, ...answered } = await answer
      expect(answered.status).toBe(status)
      expect(text).not.toContain('unknown')
      await untilTitles(one, titles)
      await untilTitles(other, titles)
    })

    it.each([
      ['COMMIT', ['theirs']],
      ['reply', ['mine', 'theirs']],
    ] as const)(
      'with its %s, and others have written since, says that it is unknown',
      async (what, titles) => {
        const [one, other] = [await start(database.urlOf(proxyFolder)), await start()]
        const lost = proxy.lose(what)
        const answer = add(one, 'mine')
        await lost
        expect((await add(other, 'theirs')).status).toBe(201)
        proxy.open()
        const unknown = await answer
        expect([unknown.status, json(unknown)]).toEqual([503, { error: expect.stringContaining('unknown') }])
        await untilTitles(one, titles)
      },
    )

    it('and the row is then edited by hand, the mark still tells', async () => {
      const one = await start(database.urlOf(proxyFolder))
      const lost = proxy.lose('COMMIT')
      const answer = add(one, 'mine')
      await lost
      await database.ask(
        `UPDATE mock SET data = '{"posts": [{"id": 1, "title": "by hand"}]}', version = version + 1`,
      )
      proxy.open()
      const refused = await answer
      expect([refused.status, json(refused)]).toEqual([
        503,
        { error: expect.stringContaining('was not made') },
      ])
      expect(await titlesOf(one)).toEqual(['by hand'])
    })

    it('and the database does not come back, says that it is unknown, and knows it later', async () => {
      const [one, other] = [await start(database.urlOf(proxyFolder)), await start()]
      const lost = proxy.lose('reply')
      const answer = add(one, 'mine')
      await lost
      const unknown = await answer
      expect([unknown.status, json(unknown)]).toEqual([503, { error: expect.stringContaining('unknown') }])
      proxy.open()
      await untilTitles(one, ['mine'])
      await untilTitles(other, ['mine'])
    })
  })

  it('ends its turn and its connection with a stop', async () => {
    const server = await start()
    await add(server, 'one')
    expect(await server.launched.stop()).toBe(0)
    expect(await database.ask(`SELECT count(*) ${OTHER_SESSIONS}`)).toBe('0')
  })
})
