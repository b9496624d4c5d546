import { serveApp } from '../../../support/app'
import { sampleData } from '../../../support/data'
import { ask, logIn } from '../../../support/http'

test.each([401, 413])('clients that send 30 MB all get a %d', async (status) => {
  const { url, close } = await serveApp({ data: sampleData() })
  const token = await logIn(url)
  const body = Buffer.alloc(30_000_000, 'a')
  const headers = {
    'Content-Type': 'application/json',
    Authorization: status === 401 ? 'Bearer wrong' : `Bearer ${token}`,
  }
  for (let round = 0; round < 3; round += 1) {
    expect((await fetch(`${url}/posts`, { method: 'POST', headers, body })).status).toBe(status)
    expect((await ask(url, { method: 'POST', path: '/posts', headers, body })).status).toBe(status)
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' }
    expect((await ask(url, { method: 'POST', path: '/posts', headers: chunked, body })).status).toBe(status)
  }
  await close()
})
