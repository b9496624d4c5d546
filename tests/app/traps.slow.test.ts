import { servePlain } from '../support/app'
import { ask, question } from '../support/http'
import { data, expectSentence, expectToWork, nested, record, servers, start, startingServers } from './traps'

startingServers()

it('after a body that is nested too deep, the list of json-server fails, also after a restart', async () => {
  const spoils = async (depth: number): Promise<boolean> => {
    const stored = data()
    const server = await servePlain(stored)
    const created = await ask(server.url, question(nested(depth)))
    const list = await ask(server.url, { path: '/posts' })
    const restarted = await servePlain(record(JSON.parse(JSON.stringify(stored))))
    const again = await ask(restarted.url, { path: '/posts' })
    servers.push(server, restarted)
    return created.status === 201 && list.status === 500 && again.status === 500
  }
  // How deep is too deep for json-server depends on the machine's stack.
  let isSpoiled = false
  for (const depth of [2500, 2000, 3000, 3500, 1500]) isSpoiled ||= await spoils(depth)
  expect(isSpoiled).toBe(true)
})

describe('patterns of a second each', () => {
  const endless = '%5E(a%2B)%2B%24'

  it.each([
    { title: 'an endless pattern on pages', query: `title_like=${endless}&_page=1&_sort=id` },
    { title: '500 endless patterns', query: Array(500).fill(`title_like=${endless}`).join('&') },
    { title: '28 nested groups', query: `title_like=${'('.repeat(28)}a${'|)%2B'.repeat(28)}x` },
  ])('$title', async ({ query }) => {
    const { ours } = await start({ ...data(), posts: [{ id: 1, title: `${'a'.repeat(60)}!` }] })
    const answer = await ours(`GET /posts?${query}`)
    expect(answer.status).toBe(400)
    expectSentence(answer)
    await expectToWork(ours)
  })

  it('100 patterns, each of them fast enough alone', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `f${index}`)
    const fields = Object.fromEntries(names.map((name) => [name, `${'a'.repeat(17)}!`]))
    const posts = Array.from({ length: 20 }, (_, id) => ({ id, title: 'Hello', ...fields }))
    const { ours } = await start({ ...data(), posts })
    const query = names.map((name) => `${name}_like=${endless}|!`)
    expect((await ours(`GET /posts?${query[0]}`)).status).toBe(200)
    const answer = await ours(`GET /posts?${query.join('&')}`)
    expect(answer.status).toBe(400)
    expectSentence(answer)
    await expectToWork(ours)
  })
})
