import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createApp } from '../../../../server'
import { sampleData } from '../../../support/data'
import { documentOf } from '../../../support/document'
import { ask, json, serve } from '../../../support/http'

test('the document gives the version of the package', async () => {
  const server = await serve(createApp({ data: sampleData(), log: false, docs: true }))
  const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../../../package.json'), 'utf8'))
  expect(json(await ask(server.url, { path: '/openapi.json' }))).toMatchObject({ info: { version } })
  await server.close()
})

test('two sentences say how to log in and what is open, and the rest is folded away', () => {
  const [first, ...rest] = documentOf({ blogs: [] }).info.description.split('\n\n')
  expect(first).toBe(
    '**Log in** at the top of `/docs`, or send the `access_token` from `POST /auth/login` as ' +
      '`Authorization: Bearer <access_token>`. Without it you can read `blogs` and the fixed list at ' +
      '`GET /api/users.php`; everything else needs it.',
  )
  expect(rest[0]).toMatch(/^<details><summary>.*<\/summary>$/)
  expect(rest.at(-1)).toBe('</details>')
})
