import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import express, { type RequestHandler } from 'express'
import type { AllowedHosts } from '../../lib/http/allowed-hosts'
import { type ListenOptions, listen } from '../../lib/http/server/listen'
import { errorHandler } from '../../middlewares/error-handler'
import { localOnly } from '../../middlewares/local-only'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, json, type Question, refused } from '../support/http'
import { testOfLoopbackAddresses } from '../support/platform'

function handler(
  respond: RequestHandler = (_request, response) => {
    response.status(204).end()
  },
) {
  return express().use(localOnly(['/', '/docs']), respond, errorHandler())
}

/** Everything that passes the step: the address that it was asked under does not matter. */
async function withServer(
  host: string,
  use: (port: number) => Promise<void>,
  tls?: ListenOptions['tls'],
): Promise<void> {
  const { port, close } = await listen(handler(), { port: 0, host, tls })
  try {
    await use(port)
  } finally {
    await close(0)
  }
}

async function statusOf(port: number, headers: Question['headers'], method = 'GET'): Promise<number> {
  return (await ask(`http://127.0.0.1:${port}`, { method, path: '/', headers })).status
}

const HERE = [
  'localhost',
  'LocalHost',
  'app.localhost',
  'a.b-c.localhost',
  'localhost.',
  '127.0.0.1',
  '127.0.0.2',
  '[::1]',
]
const ELSEWHERE = [
  'evil.example',
  'localhost.evil.example',
  'evil-localhost',
  'evillocalhost',
  '.localhost',
  'a..localhost',
  'localhost..',
  '127.0.0.1.evil.example',
  '127.0.0.1.',
  '127.1',
  '0.0.0.0',
  '2130706433',
  '::1',
  '[::]',
  '[::ffff:127.0.0.1]',
  'user@localhost',
  'localhost/',
  'localhost:80:80',
  'localhost:x',
  'localhost, evil.example',
  'localhost evil.example',
]

test('on a loopback address, a Host that is not localhost -> 403', async () => {
  await withServer('localhost', async (port) => {
    for (const host of HERE)
      for (const sent of [host, `${host}:${port}`, `${host}:1`, `${host}:`])
        expect([sent, await statusOf(port, { Host: sent })]).toEqual([sent, 204])
    for (const host of ELSEWHERE)
      for (const sent of [host, `${host}:${port}`])
        for (const method of ['GET', 'POST', 'OPTIONS'])
          expect([sent, await statusOf(port, { Host: sent }, method)]).toEqual([sent, 403])
  })
})

test('on a loopback address, an Origin that is not localhost -> 403', async () => {
  await withServer('127.0.0.1', async (port) => {
    for (const host of HERE)
      for (const sent of [
        `http://${host}:5173`,
        `https://${host}`,
        `capacitor://${host}`,
        `HTTP://${host}:1`,
      ])
        expect([sent, await statusOf(port, { Origin: sent })]).toEqual([sent, 204])
    for (const host of ELSEWHERE)
      for (const sent of [`http://${host}`, `https://${host}:${port}`])
        for (const method of ['GET', 'POST', 'OPTIONS'])
          expect([sent, await statusOf(port, { Origin: sent }, method)]).toEqual([sent, 403])
    for (const sent of [
      'null',
      '',
      'localhost',
      '//localhost',
      'file://',
      'http://localhost/',
      'http:localhost',
    ])
      expect([sent, await statusOf(port, { Origin: sent })]).toEqual([sent, 403])
  })
})

test.each([
  ['two Origins', 'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://a.b', 403],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost: ', 403],
  ['a port alone', 'GET / HTTP/1.1\r\nHost: :80', 403],
  ['no Host in HTTP/1.0', 'GET / HTTP/1.0', 403],
  ['a Host in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: localhost', 204],
  ['a target in absolute form', 'GET http://localhost/ HTTP/1.1\r\nHost: evil.example', 403],
])('%s', async (_title, head, status) => {
  await withServer('127.0.0.1', async (port) => {
    const socket = connect(port, '127.0.0.1')
    socket.end(`${head}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toContain(` ${status} `)
  })
})

describe('what a page of another site asks for without an Origin', () => {
  const FOREIGN = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }
  const LINK = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-User': '?1',
  }

  test.each(['script', 'image', 'style', 'object', 'embed', 'iframe', 'video', 'track', 'empty', 'document'])(
    '%s -> 403',
    async (destination) => {
      await withServer('127.0.0.1', async (port) => {
        expect(await statusOf(port, { ...FOREIGN, 'Sec-Fetch-Dest': destination })).toBe(403)
      })
    },
  )

  test.each([
    ['with an Origin from here', { ...FOREIGN, Origin: 'http://127.0.0.1:5500' }, 204],
    ['with a Referer from here', { ...FOREIGN, Referer: 'http://127.0.0.1:5500/page.html?a=b' }, 204],
    ['with a Referer from elsewhere', { ...FOREIGN, Referer: 'https://evil.example/localhost' }, 403],
    [
      'with a Referer that names us as a user',
      { ...FOREIGN, Referer: 'http://localhost@evil.example/' },
      403,
    ],
    ['with a Referer that is no URL', { ...FOREIGN, Referer: 'localhost' }, 403],
    ['of the same site', { ...FOREIGN, 'Sec-Fetch-Site': 'same-site' }, 204],
    ['by a person who types the address', { ...LINK, 'Sec-Fetch-Site': 'none' }, 204],
    ['by a link to / that a person clicks', LINK, 204],
    ['by a navigation that nobody has clicked', { ...LINK, 'Sec-Fetch-User': '' }, 403],
    ['by a frame', { ...LINK, 'Sec-Fetch-Dest': 'iframe' }, 403],
  ])('%s', async (_title, headers, status) => {
    await withServer('127.0.0.1', async (port) => expect(await statusOf(port, headers)).toBe(status))
  })

  test('by a link to a page that / redirects to', async () => {
    await withServer('127.0.0.1', async (port) => {
      expect((await ask(`http://127.0.0.1:${port}`, { path: '/docs', headers: LINK })).status).toBe(204)
      expect((await ask(`http://127.0.0.1:${port}`, { path: '/docs', headers: FOREIGN })).status).toBe(403)
    })
  })

  test.each(['/posts', '/posts?password_like=^s', '/?q=s', '//', '/docs?url=x', '/docs/', '/docs/page.mjs'])(
    'by a link to %s that a person clicks -> 403: its page could time it',
    async (path) => {
      await withServer('127.0.0.1', async (port) => {
        expect((await ask(`http://127.0.0.1:${port}`, { path, headers: LINK })).status).toBe(403)
      })
    },
  )

  test('by a form that a person submits to change something -> 403', async () => {
    await withServer('127.0.0.1', async (port) => expect(await statusOf(port, LINK, 'POST')).toBe(403))
  })
})

describe('allowed hosts', () => {
  const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
  const NAMES = ['10.0.2.2', 'Host.Docker.Internal', '.test', '[fd00::1]', EXTENSION]

  async function statuses(allowedHosts: AllowedHosts, sent: readonly Question['headers'][]) {
    const app = createApp({ data: sampleData(), allow: 'all', allowedHosts, log: false })
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' })
    try {
      return await Promise.all(sent.map((headers) => statusOf(port, headers)))
    } finally {
      await close(0)
    }
  }

  test.each([
    '10.0.2.2',
    'host.docker.internal',
    'HOST.docker.internal:33000',
    'test',
    'app.test',
    'a.b.test:80',
    '[fd00::1]:80',
    'localhost',
  ])('the Host %s, and pages from there', async (host) => {
    const origins = [`http://${host}`, `https://${host}`].map((Origin) => ({ Origin }))
    expect(await statuses(NAMES, [{ Host: host }, ...origins])).toEqual([200, 200, 200])
  })

  test.each([
    '10.0.2.20',
    '110.0.2.2',
    'x.host.docker.internal',
    'host.docker.internal.evil.example',
    'latest',
    'test.evil.example',
    'x@app.test',
    'app.test/',
    'evil.example, app.test',
    'app.test:80:80',
    'app.test:x',
    '[fd00::12]',
    'abcdefghijklmnopabcdefghijklmnop',
  ])('not the Host %s, nor pages from there', async (host) => {
    const sent = [{ Host: host }, { Origin: `http://${host}` }]
    expect(await statuses(NAMES, sent)).toEqual([403, 403])
  })

  test('the pages of an extension, and of no other', async () => {
    const origins = [EXTENSION, `${EXTENSION}x`, EXTENSION.replace('chrome', 'moz'), 'null']
    const sent = origins.map((Origin) => ({ Origin }))
    expect(await statuses(NAMES, sent)).toEqual([200, 403, 403, 403])
  })

  test('what a page asks for without an Origin', async () => {
    const from = (Referer: string) => ({ 'Sec-Fetch-Site': 'cross-site', Referer })
    const pages = ['http://app.test/a', `${EXTENSION}/a?b`, 'http://evil.example/', `${EXTENSION}x/a`]
    expect(await statuses(NAMES, pages.map(from))).toEqual([200, 200, 403, 403])
  })

  test.each<[AllowedHosts]>([['all'], [['all']]])('with %j, none is refused', async (allowedHosts) => {
    const sent = [{ Host: 'evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }]
    expect(await statuses(allowedHosts, sent)).toEqual([200, 200, 200])
  })

  test.each([
    [{ Host: '10.0.2.2:33000' }, '--allow-host 10.0.2.2 '],
    [{ Origin: 'https://app.example:8443' }, '--allow-host app.example '],
    [{ Origin: EXTENSION }, `--allow-host ${EXTENSION} `],
    [{ Host: '"<x>' }, '--allow-host and its name'],
  ])('the 403 for %j names the flag', async (headers, flag) => {
    await withServer('127.0.0.1', async (port) => {
      const { status, text: body } = await ask(`http://127.0.0.1:${port}`, { path: '/', headers })
      expect({ status, body }).toEqual({ status: 403, body: expect.stringContaining(flag) })
    })
  })

  test.each([['x.test'], [['x.test:80']], [['*.test']], [['http://x.test/']], [['']], [[7]], [{}]])(
    'allowedHosts: %j is refused when the server is built',
    (allowedHosts) => {
      const options: object = { data: sampleData(), allowedHosts }
      const [wrong] = [allowedHosts].flat()
      expect(() => Reflect.apply(createApp, undefined, [options])).toThrow(inspect(wrong))
    },
  )
})

test('on another address, whoever binds it decides: also for what arrives over loopback', async () => {
  for (const host of ['0.0.0.0', '::'])
    await withServer(host, async (port) => {
      expect(await statusOf(port, { Host: 'evil.example', Origin: 'null' })).toBe(204)
    })
})

testOfLoopbackAddresses('on another loopback address, this one is a Host, too', async () => {
  await withServer('127.0.0.2', async (port) => {
    const ask2 = async (host: string) =>
      (await ask(`http://127.0.0.2:${port}`, { path: '/', headers: { Host: host } })).status
    expect(await ask2(`127.0.0.2:${port}`)).toBe(204)
    expect(await ask2('localhost')).toBe(204)
    expect(await ask2('evil.example')).toBe(403)
  })
})

test('a server that is being closed has no address any more, and refuses as before', async () => {
  let end = () => {}
  const app = handler((_request, response) => {
    response.writeHead(200).flushHeaders()
    end = () => response.end()
  })
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' })
  const socket = connect(port, '127.0.0.1')
  const requestTo = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  // The second waits for the end of the first response.
  socket.write(requestTo(`127.0.0.1:${port}`) + requestTo('evil.example'))
  await once(socket, 'readable')
  const closed = close(60_000)
  await refused(port)
  end()
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*HTTP\/1.1 403 /)
  await closed
})

test('over TLS, what the server is bound to counts as well', async () => {
  const pem = readFileSync(path.join(__dirname, '../support/localhost.pem'))
  const statusOver = async (port: number): Promise<number | undefined> => {
    const options = { port, rejectUnauthorized: false, agent: false, headers: { Host: 'evil.example' } }
    const [response] = await once(get(options), 'response')
    response.resume()
    return response.statusCode
  }
  const tls = { cert: pem, key: pem }
  await withServer('127.0.0.1', async (port) => expect(await statusOver(port)).toBe(403), tls)
  await withServer('0.0.0.0', async (port) => expect(await statusOver(port)).toBe(204), tls)
})

test('an IPv4 address written as an IPv6 one is a loopback address', async () => {
  await withServer('::ffff:127.0.0.1', async (port) => {
    expect(await statusOf(port, { Host: 'localhost' })).toBe(204)
    expect(await statusOf(port, { Host: 'evil.example' })).toBe(403)
  })
})

describe('the whole server', () => {
  async function refusal(headers: Question['headers'], question: Partial<Question> = {}) {
    const app = createApp({ data: sampleData(), allow: 'all', docs: true, sandboxes: true, log: false })
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' })
    try {
      return await ask(`http://127.0.0.1:${port}`, { path: '/users', headers, ...question })
    } finally {
      await close(0)
    }
  }

  test.each([
    [
      'a Host',
      { Host: 'evil.example' },
      /localhost, \*\.localhost, 127\.0\.0\.1 and \[::1\].*--allow-host evil\.example/,
    ],
    [
      'an Origin',
      { Origin: 'https://evil.example' },
      /http:\/\/localhost.*--static.*--allow-host evil\.example/,
    ],
    ['a followed link', { 'Sec-Fetch-Site': 'cross-site' }, /--static.*link/],
    ['an Origin of a file', { Origin: 'null' }, /as a file/],
  ])('%s that is not localhost: the sentence says what to do', async (_title, headers, sentence) => {
    const answer = await refusal(headers)
    expect(answer.status).toBe(403)
    expect(json(answer)).toEqual({ error: expect.stringMatching(sentence) })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each([
    ['a preflight', { method: 'OPTIONS', path: '/users' }],
    ['the login', { method: 'POST', path: '/auth/login' }],
    ['the user lookup', { path: '/api/users.php' }],
    ['the page', { path: '/docs' }],
    ['the document', { path: '/openapi.json' }],
    ['a route of a sandbox', { method: 'DELETE', path: '/__sandbox' }],
    ['a change', { method: 'DELETE', path: '/users/1' }],
  ])('%s is refused, too', async (_title, question) => {
    for (const sent of [{ Origin: 'https://evil.example' }, { Host: 'evil.example' }])
      expect((await refusal({ ...sent, 'Access-Control-Request-Method': 'GET' }, question)).status).toBe(403)
  })

  /** What a browser sends when a person clicks a link on another site, also with a request that follows. */
  const LINK = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-User': '?1',
  }

  test('with --docs, a link to / that a person clicks leads to the page', async () => {
    const home = await refusal(LINK, { path: '/' })
    expect(home).toMatchObject({ status: 302, headers: { location: 'docs/data' } })
    for (const path of ['/docs', '/docs/data']) {
      expect(await refusal(LINK, { path })).toMatchObject({ status: 200 })
      expect((await refusal({ ...LINK, 'Sec-Fetch-User': '' }, { path })).status).toBe(403)
    }
    for (const path of ['/openapi.json', '/docs/', '/docs/page.mjs', '/docs/requests', '/docs?a=b'])
      expect((await refusal(LINK, { path })).status).toBe(403)
  })

  test('without --docs, a link does not lead to /docs, which may be a collection', async () => {
    const app = createApp({ data: { docs: [] }, allow: 'all', log: false })
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' })
    const ask2 = (path: string) => ask(`http://127.0.0.1:${port}`, { path, headers: LINK })
    expect((await ask2('/docs')).status).toBe(403)
    expect((await ask2('/')).status).toBe(200)
    await close(0)
  })

  test('with a list of requests, or none, the step is not there', async () => {
    const app = createApp({ data: sampleData(), allow: ['GET /users'], log: false })
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' })
    const headers = { Host: 'evil.example', Origin: 'https://evil.example' }
    expect((await ask(`http://127.0.0.1:${port}`, { path: '/users', headers })).status).toBe(200)
    await close(0)
  })
})
