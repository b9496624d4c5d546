import { readAllowed } from '../../../../lib/auth/allow-rules'
import type { Data } from '../../../../lib/data/valid-data'
import type { RewriteRules } from '../../../../lib/http/rewrite-rules'
import { createApp } from '../../../../server'
import { Contract } from '../../../app/contract'
import { ask, question, serve } from '../../../support/http'
import { documentOf } from './document-of'

const data = (): Data => ({
  tasks: [
    { id: 1, title: 'Tea', done: false },
    { id: 2, title: 'Milk', done: true },
  ],
})

/** The operation at a line such as `POST /tasks/search`. */
function operationAt(line: string, rules: RewriteRules, options: Parameters<typeof documentOf>[1] = {}) {
  const [method = '', path = ''] = line.split(' ')
  return documentOf(data(), { ...options, rules }).paths[path]?.[method.toLowerCase()]
}

test('a search is the list that its rule leads to, with its query in the body', () => {
  const rules = { 'POST /tasks/search': 'GET /tasks?_limit=20' }
  const search = operationAt('POST /tasks/search', rules)
  const list = operationAt('GET /tasks', rules)
  expect(search).toMatchObject({
    operationId: 'postTasksSearch',
    responses: list?.responses,
    security: list?.security,
    tags: ['tasks'],
  })
  expect(search).toHaveProperty('requestBody.content.application/json.schema.properties.title_like')
  expect(search).toHaveProperty('requestBody.content.application/json.schema.properties._sort')
})

test('the parameters of a path are those of the rule', () => {
  const done = operationAt('POST /tasks/{task}/done', { 'POST /tasks/:task/done': 'PATCH /tasks/:task' })
  expect(done?.parameters).toMatchObject([{ name: 'task', in: 'path', schema: { type: 'integer' } }])
  expect(done).toHaveProperty('requestBody')
  expect(done?.responses).toHaveProperty('404')
})

test.each<[title: string, rules: RewriteRules, line: string]>([
  ['is the same', { 'POST /tasks/:slug': 'GET /tasks/:slug' }, 'POST /tasks/{id}'],
  [
    'is the same below a prefix',
    { '/api/*': '/$1', 'POST /tasks/:a': 'GET /tasks/:a' },
    'POST /api/tasks/{id}',
  ],
  ['is that of another rule', { 'POST /x/:a': 'GET /tasks/:a', 'PUT /x/:b': '/tasks/:b' }, 'PUT /x/{a}'],
  ['has a parameter twice', { 'POST /x/:id/y/:id': 'GET /tasks/:id' }, 'POST /x/{id}/y/{id2}'],
])('a path that %s has one name for each parameter', (_title, rules, line) => {
  const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path' }))
  expect(operationAt(line, rules)?.parameters?.slice(0, names.length)).toMatchObject(names)
})

test.each<[rules: RewriteRules, line: string]>([
  [{ '/api/*': '/$1', 'POST /tasks/search': 'GET /tasks' }, 'POST /api/tasks/search'],
  [{ 'POST /find': 'GET /api/tasks', '/api/*': '/$1' }, 'POST /find'],
])('%j is asked for at %s', (rules, line) => {
  expect(operationAt(line, rules)).toBeDefined()
})

test.each<RewriteRules>([
  { 'POST /tasks/*': 'GET /tasks' },
  { 'POST /tasks/search': 'GET /nowhere' },
  { '/tasks/search': '/tasks' },
])('%j has no operation of its own', (rules) => {
  expect(documentOf(data(), { rules }).paths).toEqual(documentOf(data()).paths)
})

test('what --allow opens, its rule opens', () => {
  const rules = { 'POST /tasks/search': 'GET /tasks' }
  const opened = readAllowed(['GET /tasks'])
  expect(operationAt('POST /tasks/search', rules, { allowed: () => opened })?.security).toEqual([])
})

test('with --read-only, a search stays, and a change goes', () => {
  const rules = { 'POST /tasks/search': 'GET /tasks', 'POST /tasks/:id/done': 'PATCH /tasks/:id' }
  expect(operationAt('POST /tasks/search', rules, { readOnly: true })).toBeDefined()
  expect(operationAt('POST /tasks/{id}/done', rules, { readOnly: true })).toBeUndefined()
})

test.each([
  'POST /tasks/search {"title": ["Tea", "Milk"], "_sort": "title"}',
  'POST /tasks/search {"title_like": "^T"}',
  'POST /tasks/1/done {"done": true}',
  'POST /tasks/9/done {"done": true}',
  'GET /first/Tea',
  'GET /first/Coffee',
  'POST /first {"done": true}',
])('%s is answered as the document says', async (line) => {
  const routes = {
    'POST /tasks/search': 'GET /tasks',
    'POST /tasks/:id/done': 'PATCH /tasks/:id',
    'GET /first/:title': 'GET /tasks?title=:title&_one',
    'POST /first': 'GET /tasks?_one',
  }
  const server = await serve(createApp({ data: data(), routes, docs: true, allow: 'all', log: false }))
  const contract = await Contract.of(server.url)
  const asked = question(line)
  expect(contract.problems(asked, await ask(server.url, asked))).toEqual([])
  await server.close()
})

test('rules that change are in the next document', async () => {
  let routes: RewriteRules = {}
  const server = await serve(createApp({ data: data(), routes: () => routes, docs: true, log: false }))
  const pathsNow = async () => JSON.parse((await ask(server.url, { path: '/openapi.json' })).text).paths
  expect(await pathsNow()).not.toHaveProperty(['/tasks/search'])
  routes = { 'POST /tasks/search': 'GET /tasks' }
  expect(await pathsNow()).toHaveProperty(['/tasks/search'])
  await server.close()
})
