import { sandboxDocs } from '../../../../../lib/options/sandboxes/docs/sandbox-docs'
import { SANDBOX_NAME } from '../../../../../lib/options/sandboxes/header'
import { JOURNAL_LIMITS } from '../../../../../lib/options/sandboxes/journal'
import { SANDBOX_LIMITS } from '../../../../../lib/options/sandboxes/sandboxes'
import { serveApp } from '../../../../support/app'
import { ADA, sampleData } from '../../../../support/data'
import { documentOf, OpenApiValidator } from '../../../../support/document'
import { logInTo, send } from '../../../../support/http'

const ADDITION = sandboxDocs()

const validator = new OpenApiValidator()
afterAll(() => validator.close())
test('a server with sandboxes has their routes, and the header at every operation', async () => {
  const { paths, tags, components } = documentOf(sampleData(), {}, { additions: [ADDITION] })
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/__sandbox',
      '/__sandbox/reset',
      '/__sandbox/faults',
      '/__sandbox/requests',
      '/auth/login',
    ]),
  )
  for (const { parameters } of Object.values(paths))
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/X-Sandbox' })
  expect(components.parameters['X-Sandbox']).toMatchObject({
    name: 'X-Sandbox',
    in: 'header',
    required: false,
  })
  expect(tags.map(({ name }) => name)).toContain('Sandboxes')
  const named = { blogs: [{ id: 1 }], FaultRule: [{ id: 1 }], __sandbox: [{ id: 1 }], Sandboxes: { id: 1 } }
  for (const data of [sampleData(), named])
    expect(
      await validator.problems(documentOf(data, { '/api/*': '/$1' }, { additions: [ADDITION] })),
    ).toEqual([])
})

test('the document gives the limits that the server has', () => {
  const { paths, components } = documentOf(sampleData(), {}, { additions: [ADDITION] })
  const requests = JOURNAL_LIMITS.requests.toLocaleString('en')
  expect(JSON.stringify(paths['/__sandbox/requests'])).toContain(`the last ${requests} requests`)
  expect(JSON.stringify(components.responses[503])).toContain(` ${SANDBOX_LIMITS.count} sandboxes`)
  expect(JSON.stringify(components.responses[400])).toContain(SANDBOX_NAME.description)
})

test('a server without sandboxes has none of this', () => {
  expect(JSON.stringify(documentOf(sampleData()))).not.toMatch(/sandbox/i)
})

test('what sandboxes respond is as documented', async () => {
  const { url, close } = await serveApp({ data: sampleData(), sandboxes: true })
  const token = await logInTo(url, 'lab')
  const steer = (line: string, body?: unknown, sandbox?: string) => send(url, line, { sandbox, token, body })
  const statuses = [
    await steer('POST /__sandbox/reset'),
    await steer('POST /__sandbox/reset', { blogs: [] }),
    await steer('POST /__sandbox/reset', { blogs: 5 }),
    await steer('PUT /__sandbox/faults', [{ path: '/nothing', status: 500 }]),
    await steer('PUT /__sandbox/faults', [{}]),
    await steer('GET /users'),
    await steer('GET /__sandbox/requests?method=GET&path=/users'),
    await steer('GET /__sandbox/requests?path=/a&path=/b'),
    await steer('GET /users', undefined, 'other'),
    await steer('DELETE /__sandbox'),
    await send(url, 'DELETE /__sandbox', { sandbox: 'lab' }),
    await send(url, 'POST /auth/login', { sandbox: 'no name', body: ADA }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([204, 204, 400, 204, 400, 200, 200, 400, 200, 204, 401, 400])
  await close()
})
