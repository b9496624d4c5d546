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
    '**Log in** at the top of `/docs`, or send the `access_token` from `POST /auth/login` as ' +
      '`Authorization: Bearer <access_token>`: every request with a lock needs it.',
    expect.stringContaining('a sample of the data as it was loaded'),
  ])
})
