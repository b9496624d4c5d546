import { servePlain } from '../support/app'
import { ask, question } from '../support/http'
import { data, nested, record, servers, startingServers } from './traps'

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
