import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder, sampleData } from '../support/data'
import { ask, json } from '../support/http'
import { client, killAll, Launched, PROGRAMS, ROOT, type Send } from '../support/process'
import { CommitProxy } from './commit-proxy'
import { PostgresqlServer, postgresqlPrograms } from './postgresql-server'
import { faultsOf, post } from './traffic'

const page = readFileSync(path.join(ROOT, 'docs/deploying.md'), 'utf8')
const [, recipe = ''] = /`store\.cjs`\.\n\n```js\n(.*?)```/s.exec(page) ?? []

const functions = Array.from(page.matchAll(/```js\n(const \{ createApp.*?)```/gs), ([, code = '']) => code)

const isInstalled = postgresqlPrograms() !== undefined
if (!isInstalled) process.stderr.write('PostgreSQL is not installed, so its tests are skipped.\n')
const describeWithPostgresql = isInstalled ? describe : describe.skip

describeWithPostgresql('the recipe for PostgreSQL (docs/deploying.md)', () => {
  let folder: string
  let database: PostgresqlServer
  let proxyFolder: string

  beforeAll(async () => {
    folder = await makeFolder()
    database = new PostgresqlServer(folder)
    proxyFolder = path.join(folder, 'proxy')
    await mkdir(proxyFolder)
    await mkdir(path.join(folder, 'node_modules'))
    await symlink(path.join(ROOT, 'node_modules/pg'), path.join(folder, 'node_modules/pg'))
    await writeFile(path.join(folder, 'store.cjs'), recipe)
    await mkdir(path.join(folder, 'node_modules/json-server-bearer'))
    const own = `module.exports = require(${JSON.stringify(PROGRAMS.ours[0])})`
    await writeFile(path.join(folder, 'node_modules/json-server-bearer/index.js'), own)
    await mkdir(path.join(folder, 'api'))
    const serving = `require('node:http').createServer(require('./api/index.cjs')).listen(0, '127.0.0.1')`
    await writeFile(path.join(folder, 'serve.cjs'), serving)
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ ...sampleData(), posts: [] }))
    await database.start()
  })

  afterEach(async () => {
    killAll()
    await database.stop('immediate')
    await database.start()
    await database.ask('DROP TABLE IF EXISTS mock')
  })

  afterAll(async () => {
    await database.stop('immediate')
    await rm(folder, { recursive: true, force: true })
  })

  interface Server {
    launched: Launched
    send: Send
  }

  async function start(url = database.url): Promise<Server> {
    const args = ['./store.cjs', '--host', '127.0.0.1']
    const launched = await Launched.listening({ folder, args, env: { DATABASE_URL: url } })
    return { launched, send: await client(launched) }
  }

  const startMany = (count: number) => Promise.all(Array.from({ length: count }, () => start()))

  const postsOf = async ({ send }: Server) => Object(json(await send('GET /posts')))

  /** The records, as soon as all servers have the same: that is an event of the database, not of a server. */
  async function agreed(servers: readonly Server[]): Promise<unknown[]> {
    for (;;) {
      const [first, ...others] = await Promise.all(servers.map(postsOf))
      if (others.every((posts) => JSON.stringify(posts) === JSON.stringify(first))) return first
    }
  }

  it('lets three servers that start at once share the data, each with all flags', async () => {
    const servers = await startMany(3)
    expect(servers.map(({ launched }) => launched.stderr)).toEqual(['', '', ''])
    expect(servers[0]?.launched.stdout).toContain('Changes are saved by ./store.cjs.')
    const outcomes = await post(
      servers.map(({ send }) => send),
      { clients: 32, goesOn: (count) => count < 1500 },
    )
    expect([outcomes.refused.size, outcomes.unknown.size]).toEqual([0, 0])
    const posts = await agreed(servers)
    expect(posts).toHaveLength(outcomes.made.size)
    expect(faultsOf(posts, outcomes)).toEqual([])
  })

  it.each([
    ['in memory', 0, [201, 201]],
    ['with the recipe', 1, [201, 409]],
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

  describe('after a connection was lost', () => {
    const ofServers = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`

    it.each([
      ['needs no data file', `SELECT pg_terminate_backend(pid) ${ofServers}`, 3],
      ['fills a table that somebody has emptied', 'DELETE FROM mock', 1],
    ])('%s, and keeps one connection', async (_case, statement, kept) => {
      const { send } = await start()
      const file = path.join(folder, 'db.json')
      if (kept > 1) await rename(file, `${file}.away`)
      try {
        for (const title of ['one', 'two', 'three']) {
          await database.ask(statement)
          expect((await send('POST /posts', { body: { title } })).status).toBe(201)
        }
        expect(json(await send('GET /posts'))).toHaveLength(kept)
        const connections = () => database.ask(`SELECT count(*), max(state) ${ofServers}`)
        let seen = await connections()
        // The look at what was written is a turn, which ends.
        while (seen.startsWith('1|') && seen !== '1|idle') seen = await connections()
        expect(seen).toBe('1|idle')
      } finally {
        if (kept > 1) await rename(`${file}.away`, file)
      }
    })
  })

  it('shows each change to the other servers, and keeps all when they are gone', async () => {
    const [one, other] = [await start(), await start()]
    const created = json(await one.send('POST /posts', { body: { title: 'kept' } }))
    await agreed([one, other])
    expect(await postsOf(other)).toEqual([created])
    expect(await Promise.all([one.launched.stop(), other.launched.stop()])).toEqual([0, 0])
    // Only an empty table is filled from the file.
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ ...sampleData(), posts: [{ id: 9 }] }))
    expect(await postsOf(await start())).toEqual([created])
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ ...sampleData(), posts: [] }))
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses nothing that was acknowledged when a server gets %s',
    async (signal) => {
      const servers = await startMany(3)
      let killed = 0
      const outcomes = await post(
        servers.map(({ send }) => send),
        {
          clients: 32,
          goesOn: (count) => {
            // Two of three, while all of them write.
            if (count > 200 * (killed + 1) && killed < 2) servers[killed++]?.launched.kill(signal)
            return count < 1200
          },
        },
      )
      const posts = await postsOf(await start())
      expect(faultsOf(posts, outcomes)).toEqual([])
      expect(outcomes.made.size).toBeGreaterThan(600)
    },
  )

  it('loses nothing that was acknowledged when the database is killed and starts again', async () => {
    const servers = await startMany(3)
    let restarts = 0
    let restarting = Promise.resolve()
    const outcomes = await post(
      servers.map(({ send }) => send),
      {
        clients: 32,
        goesOn: (count) => {
          if (count > 300 * (restarts + 1) && restarts < 3) {
            restarts += 1
            restarting = restarting.then(async () => {
              await database.stop('immediate')
              await database.start()
            })
          }
          return count < 1500
        },
      },
    )
    await restarting
    expect(restarts).toBe(3)
    // None has to be started again.
    const posts = await agreed(servers)
    expect(faultsOf(posts, outcomes)).toEqual([])
    expect(outcomes.unknown.size).toBe(0)
  })

  it('loses nothing that was acknowledged when a server stands still within its turn', async () => {
    const servers = await startMany(3)
    const [still] = servers
    let isStopped = false
    const outcomes = await post(
      servers.map(({ send }) => send),
      {
        clients: 32,
        goesOn: (count) => {
          if (count > 300 && !isStopped) {
            isStopped = true
            still?.launched.kill('SIGSTOP')
            setTimeout(() => still?.launched.kill('SIGCONT'), 3000)
          }
          return count < 1500
        },
      },
    )
    const posts = await agreed(servers)
    expect(faultsOf(posts, outcomes)).toEqual([])
  })

  describe('when the reply to a COMMIT is lost', () => {
    let proxy: CommitProxy

    beforeEach(() => {
      proxy = new CommitProxy(proxyFolder, database.socket)
    })
    afterEach(() => proxy.close())

    const startBehindProxy = () => start(database.urlOf(proxyFolder))

    it('acknowledges the change, also if another server has written since', async () => {
      const [one, other] = [await startBehindProxy(), await start()]
      const lost = proxy.loseReply()
      const answer = one.send('POST /posts', { body: { title: 'mine' } })
      await lost
      expect((await other.send('POST /posts', { body: { title: 'theirs' } })).status).toBe(201)
      proxy.open()
      expect((await answer).status).toBe(201)
      const posts = await agreed([one, other])
      expect(posts.map((record) => Object(record).title)).toEqual(['mine', 'theirs'])
    })

    it('acknowledges what was made, and refuses nothing that was, again and again', async () => {
      const servers = [await startBehindProxy(), await start(), await start()]
      let losses = 0
      let count = 0
      const losing = (async () => {
        while (count < 1000) {
          await Promise.race([proxy.loseReply(), new Promise((resolve) => setTimeout(resolve, 2000))])
          losses += 1
          proxy.open()
        }
      })()
      const outcomes = await post(
        servers.map(({ send }) => send),
        {
          clients: 32,
          goesOn: (responses) => {
            count = responses
            return responses < 1000
          },
        },
      )
      await losing
      const posts = await agreed(servers)
      expect(faultsOf(posts, outcomes)).toEqual([])
      expect(outcomes.unknown.size).toBe(0)
      expect(losses).toBeGreaterThan(3)
    })

    it('says that the outcome is unknown when it cannot ask, and knows it when it can', async () => {
      const [one, other] = [await startBehindProxy(), await start()]
      const lost = proxy.loseReply()
      const answer = one.send('POST /posts', { body: { title: 'mine' } })
      await lost
      const refused = await one.send('POST /posts', { body: { title: 'refused' } })
      expect([refused.status, json(refused)]).toEqual([
        503,
        { error: expect.stringContaining('was not made') },
      ])
      const unknown = await answer
      expect([unknown.status, json(unknown)]).toEqual([503, { error: expect.stringContaining('is unknown') }])
      proxy.open()
      expect((await agreed([one, other])).map((record) => Object(record).title)).toEqual(['mine'])
    })
  })
})
