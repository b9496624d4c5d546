import { sandboxDocs } from '../../../../../lib/options/sandboxes/docs/sandbox-docs'
import { SANDBOX_NAME } from '../../../../../lib/options/sandboxes/header'
import { JOURNAL_LIMITS } from '../../../../../lib/options/sandboxes/journal'
import { SANDBOX_LIMITS } from '../../../../../lib/options/sandboxes/sandboxes'
import { sampleData } from '../../../../support/data'
import { documentOf } from '../../docs/document-of'

const ADDITION = sandboxDocs()

test('a server with sandboxes has their routes, and the header at every operation', () => {
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
