import { testApps } from '../../../support/app'
import { ADA, sampleData } from '../../../support/data'
import { logIn, send } from '../../../support/http'

const { start } = testApps()

test('200 refused sign-ups, each with another X-Sandbox, leave no room for a test: a sandbox in which nothing has been stored always makes room for one with a token', async () => {
  const { url } = await start({ data: sampleData(), sandboxes: true, signUp: ['/register'] })
  const token = await logIn(url)
  const title = async (sandbox: string) =>
    JSON.parse((await send(url, 'GET /blogs/1', { sandbox })).text).blog.title
  for (let count = 0; count < 200; count += 1) {
    const refused = await send(url, 'POST /register', { sandbox: `stranger-${count}`, body: ADA })
    expect(refused.status).toBe(409)
  }
  for (const name of ['one', 'two']) {
    const renamed = await send(url, 'PATCH /blogs/1', { sandbox: name, token, body: { title: name } })
    expect(renamed.status).toBe(200)
    expect(await title(name)).toBe(name)
  }
  // Nor does a stranger get past them by another 200.
  for (let count = 0; count < 200; count += 1)
    await send(url, 'POST /register', { sandbox: `other-${count}`, body: ADA })
  expect([await title('one'), await title('two')]).toEqual(['one', 'two'])
})
