import { once } from 'node:events'
import { utimes } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { newFolder, removeFolders } from '../support/data'
import { type Answer, ask, authorized, logIn, question, withHeaders } from '../support/http'
import { killAll, Launched, PROGRAMS } from '../support/process'
import { SETUPS, type Setup } from './setups'

const TESTER = { email: 'tester', password: 'secret' }
/** The files of both servers are as old as each other: their age is in the ETag of a static file. */
const AGE = new Date('2026-01-01')

let remote = ''
const remoteServer = createServer((_request, response) => {
  response.end(SETUPS[0]?.files['db.json'])
})

beforeAll(async () => {
  await once(remoteServer.listen(0, '127.0.0.1'), 'listening')
  const address = remoteServer.address()
  if (address === null || typeof address === 'string') throw new Error('No TCP port.')
  remote = `http://127.0.0.1:${address.port}/db.json`
})
afterAll(async () => {
  await killAll()
  remoteServer.close()
  await removeFolders()
})

/** The responses to the requests, from a separate server. */
async function responses(program: keyof typeof PROGRAMS, setup: Setup): Promise<object[]> {
  const folder = await newFolder(setup.files)
  for (const name of Object.keys(setup.files)) await utimes(path.join(folder, name), AGE, AGE)
  const args = [...setup.args.replace('<remote>', remote).split(' '), '--port', '0']
  const isOurs = program === 'ours'
  const login = isOurs ? ['--user', `${TESTER.email}:${TESTER.password}`] : []
  const server = await Launched.listening({ program: PROGRAMS[program], folder, args: [...args, ...login] })
  const own = {
    Origin: 'http://example.com',
    'Accept-Encoding': 'gzip',
    ...(isOurs && { Authorization: authorized(await logIn(server.url, TESTER)).Authorization ?? '' }),
  }
  const found = []
  for (const request of setup.requests) {
    const asked = typeof request === 'string' ? question(request) : request
    const answer = await ask(server.url, withHeaders(asked, own))
    // A request on which json-server itself fails would prove nothing.
    if (!isOurs) expect({ request, failed: answer.status >= 500 }).toEqual({ request, failed: false })
    found.push({ request, ...comparable(answer, server.url) })
  }
  await server.stop()
  return found
}

/** All that a client can see, except what must differ (docs/json-server.md). */
function comparable({ status, headers, text }: Answer, url: string): object {
  const { date: _date, 'x-powered-by': _poweredBy, 'keep-alive': _idleTime, vary, ...others } = headers
  const hide = (value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(new URL(url).host, '<host>') : value
  return {
    status,
    varying: new Set(vary?.split(', ')),
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, hide(value)])),
    text: hide(text),
  }
}

it.each(SETUPS.map((setup) => [setup.kind, setup] as const))('%s: as json-server', async (_kind, setup) => {
  const [theirs, ours] = await Promise.all([responses('json-server', setup), responses('ours', setup)])
  expect(ours).toEqual(theirs)
})
