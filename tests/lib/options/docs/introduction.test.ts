import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createApp } from '../../../../server'
import { sampleData } from '../../../support/data'
import { ask, json, serve } from '../../../support/http'
import { documentOf } from './document-of'

test('the document gives the version of the package', async () => {
  const server = await serve(createApp({ data: sampleData(), log: false, docs: true }))
  const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../../../package.json'), 'utf8'))
  expect(json(await ask(server.url, { path: '/openapi.json' }))).toMatchObject({ info: { version } })
  await server.close()
})

test('two sentences say how to log in, and how the document was made', () => {
  const paragraphs = documentOf({ blogs: [] }).info.description.split('\n\n')
  expect(paragraphs).toEqual([
    expect.stringContaining('`POST /auth/login`'),
    expect.stringContaining('sample'),
  ])
})
