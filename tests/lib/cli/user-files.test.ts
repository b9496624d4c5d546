import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadMiddlewares } from '../../../lib/cli/user-files'
import { tempFolders } from '../../support/data'
import { ask, serveHandlers } from '../../support/http'

const newFolder = tempFolders()

it('a file may export arrays in an array of middlewares: jsonServer.defaults() is such an array', async () => {
  const file = path.join(await newFolder(), 'all.js')
  await writeFile(
    file,
    `const add = (name) => (_request, response, next) => next(void response.set(name, 'set'))
    module.exports = [[add('X-First'), [add('X-Second')]], add('X-Third')]`,
  )
  const server = await serveHandlers(loadMiddlewares([file])[0], (_request, response) => void response.end())
  const { headers } = await ask(server.url, { path: '/' })
  expect(headers).toMatchObject({ 'x-first': 'set', 'x-second': 'set', 'x-third': 'set' })
  await server.close()
})
