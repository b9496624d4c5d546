import fs from 'node:fs'
import path from 'node:path'
import { createApp } from '../../server'
import { makeFolder, sampleData } from '../support/data'
import { ask, json, serve, type TestServer } from '../support/http'

/** More than is read at once. */
const SIZE = 1_000_000

let folder: string
let server: TestServer
let printed: jest.SpyInstance

beforeAll(async () => {
  folder = await makeFolder()
  fs.writeFileSync(path.join(folder, 'large.txt'), 'tea '.repeat(SIZE / 4))
  server = await serve(createApp({ data: sampleData(), static: folder, log: false }))
})
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockImplementation()
})
afterEach(() => jest.restoreAllMocks())
afterAll(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true })
})

/** Makes one read of a file fail, as a disk or a network can: 1 for the first. */
function failRead(failing: number): void {
  let reads = 0
  const read = new Proxy(fs.read, {
    apply(target, self, parameters) {
      reads += 1
      const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
      if (reads === failing) setImmediate(parameters.at(-1), error, 0)
      else Reflect.apply(target, self, parameters)
    },
  })
  jest.spyOn(fs, 'read').mockImplementation(read)
}

describe('a read of a static file that fails', () => {
  const target = '/large.txt'

  it.each([{}, { 'Accept-Encoding': 'gzip' }, { Range: 'bytes=9-' }])(
    'in the middle cuts the connection, and the server keeps running (%p)',
    async (headers) => {
      failRead(3)
      await expect(ask(server.url, { path: target, headers })).rejects.toThrow('aborted')
      expect(printed).toHaveBeenCalledWith(expect.objectContaining({ code: 'EIO' }))
      jest.restoreAllMocks()
      expect((await ask(server.url, { path: target })).bytes.length).toBeGreaterThanOrEqual(SIZE)
    },
  )

  it('at the beginning is a 500 that no cache keeps as the file', async () => {
    failRead(1)
    const answer = await ask(server.url, { path: target })
    expect(answer.status).toBe(500)
    expect(json(answer)).toEqual({ error: expect.stringContaining('console') })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-cache', pragma: 'no-cache', expires: '-1' })
    expect(answer.headers).not.toHaveProperty('etag')
    expect(answer.headers).not.toHaveProperty('last-modified')
  })
})
