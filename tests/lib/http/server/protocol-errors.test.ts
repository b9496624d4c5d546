import { connect } from 'node:net'
import fc from 'fast-check'
import { createApp } from '../../../../server'
import { sampleData } from '../../../support/data'
import { serve, type TestServer } from '../../../support/http'
import { runs } from '../../../support/random'

let server: TestServer
beforeAll(async () => {
  server = await serve(createApp({ data: sampleData(), log: false }))
})
afterAll(() => server.close())

/** Sends bytes as they are, and gives everything that comes back until the server closes the connection. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      received += text
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    }),
  )
  return { status: Number(statusLine.split(' ')[1]), statusLine, headers, body }
}

const HOST = 'Host: localhost\r\n'
const LAST = 'Connection: close\r\n'

describe('malformed HTTP', () => {
  it.each<[string, string, number, string]>([
    ['a garbage request line', 'garbage\r\n\r\n', 400, 'valid HTTP'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n', 400, 'valid HTTP'],
    ['an unknown method', `BREW /blogs HTTP/1.1\r\n${HOST}\r\n`, 400, 'valid HTTP'],
    ['a header without a colon', `GET /blogs HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`, 400, 'valid HTTP'],
    [
      'two lengths',
      `POST /auth/login HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
      'valid HTTP',
    ],
    [
      'a chunk whose size is no number',
      `POST /auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'valid HTTP',
    ],
    [
      'a header of 20 kB',
      `GET /blogs HTTP/1.1\r\n${HOST}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      '16 kB',
    ],
    ['an address of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, '16 kB'],
    ['no Host header', 'GET /blogs HTTP/1.1\r\n\r\n', 400, 'Host'],
    ['an absolute address that is none', `GET http://[/blogs HTTP/1.1\r\n${HOST}\r\n`, 400, 'address'],
    ['an address of something else', `GET foo://users HTTP/1.1\r\n${HOST}\r\n`, 400, 'address'],
    ['a path with a fragment', `GET /blogs/1#x HTTP/1.1\r\n${HOST}\r\n`, 400, 'address'],
    ['one that is a host to Express', `GET //a@b#x HTTP/1.1\r\n${HOST}\r\n`, 400, 'address'],
    ['an address without a path', `GET mailto:ada HTTP/1.1\r\n${HOST}\r\n`, 400, 'valid HTTP'],
  ])('gets a response in JSON: %s', async (_case, request, status, word) => {
    const answer = parse(await exchange(request))
    expect(answer.status).toBe(status)
    expect(answer.statusLine).toMatch(/^HTTP\/1\.1 \d{3} [A-Z]/)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.body)),
      connection: 'close',
    })
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining(word) })
  })
})

describe('valid HTTP', () => {
  it.each([
    ['HTTP/1.0 without a Host header', 'GET /blogs/1 HTTP/1.0\r\n\r\n', 200],
    ['an absolute address', `GET http://localhost/blogs/1 HTTP/1.1\r\n${HOST}${LAST}\r\n`, 200],
    ['an absolute address with a password', `GET http://a:b@c/blogs/1 HTTP/1.1\r\n${HOST}${LAST}\r\n`, 200],
    ['an absolute address with nothing but a query', `GET http://a?b HTTP/1.1\r\n${HOST}${LAST}\r\n`, 401],
    ['a path that begins like an address', `GET //host/blogs HTTP/1.1\r\n${HOST}${LAST}\r\n`, 401],
    ['a path that is a host to others', `GET //a@b HTTP/1.1\r\n${HOST}${LAST}\r\n`, 401],
    ['a path that is none', `GET /%E0%A4%A?%ff[ HTTP/1.1\r\n${HOST}${LAST}\r\n`, 401],
    ['an asterisk', `GET * HTTP/1.1\r\n${HOST}${LAST}\r\n`, 401],
    [
      'the expectation 100-continue',
      `POST /auth/login HTTP/1.1\r\n${HOST}${LAST}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`,
      100,
    ],
    ['an unknown expectation', `GET /blogs/1 HTTP/1.1\r\n${HOST}${LAST}Expect: a miracle\r\n\r\n`, 200],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}${LAST}\r\n`, 204],
  ])('is served: %s', async (_case, request, status) => {
    expect(parse(await exchange(request)).status).toBe(status)
  })

  it('gets one complete response when garbage follows on the same connection', async () => {
    const received = await exchange(`GET /blogs/1 HTTP/1.1\r\n${HOST}\r\ngarbage\r\n\r\n`)
    expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(2)
    expect(received === '' || received.startsWith('HTTP/1.1 200 OK')).toBe(true)
  })
})

it('is refused or served in JSON, whatever the request target is', async () => {
  const piece = fc.constantFrom(
    'http:',
    'foo:',
    'HTTPS:',
    '//',
    '/',
    '*',
    '[',
    ']',
    '@',
    ':',
    '?',
    '#',
    '%',
    '\\',
    '..',
  )
  const byte = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
  const target = fc.array(fc.oneof(piece, byte), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(target, async (pieces) => {
      const text = await exchange(`GET ${pieces.join('')} HTTP/1.1\r\n${HOST}${LAST}\r\n`)
      const { status, headers, body } = parse(text)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect([200, 400, 401]).toContain(status)
      expect(() => JSON.parse(body)).not.toThrow()
    }),
    runs(40),
  )
})

it('still serves after all of this', async () => {
  await exchange('garbage\r\n\r\n')
  expect((await fetch(`${server.url}/blogs`)).status).toBe(200)
})
