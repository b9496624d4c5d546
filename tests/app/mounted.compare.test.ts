import express4 from 'express'
import { type AppOptions, createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import {
  type Answer,
  ask,
  askJson,
  authorized,
  json,
  logIn,
  type Question,
  serve,
  type TestServer,
} from '../support/http'

const express5: typeof import('express-5-types') = require('express-5')

/** The whole application, as a part of another one. */
const PARENTS = {
  'Express 5': (prefix: string, options: AppOptions) => express5().use(prefix, createApp(options)),
  'a router of Express 5': (prefix: string, options: AppOptions) =>
    express5().use(express5.Router().use(prefix, createApp(options))),
  'Express 5 that has parsed the body': (prefix: string, options: AppOptions) =>
    express5().use(express5.json()).use(prefix, createApp(options)),
  'Express 5, with its extended queries': (prefix: string, options: AppOptions) =>
    express5().set('query parser', 'extended').use(prefix, createApp(options)),
  'Express 4': (prefix: string, options: AppOptions) => express4().use(prefix, createApp(options)),
  'Express 4 that has parsed the body': (prefix: string, options: AppOptions) =>
    express4().use(express4.json()).use(prefix, createApp(options)),
}

const QUESTIONS: readonly Question[] = [
  { path: '/posts' },
  { path: '/posts/1' },
  { path: '/posts?_page=2&_limit=1' },
  { path: '/posts?_sort=views&_order=desc' },
  { path: '/posts?views_gte=20' },
  { path: '/posts?id=1&id=2' },
  { path: '/posts?id[]=1&id[]=2' },
  { path: '/posts?q=hello' },
  { path: '/posts?q[a]=hello' },
  { path: '/posts?_start=1&_end=2' },
  { path: '/posts?_embed=comments' },
  { path: '/posts?_delay=1&_limit=1' },
  { path: '/posts?callback=show&_limit=1' },
  { path: '/comments/1?_expand=post' },
  { path: '/comments?_expand=post&_embed=nothing' },
  { path: '/posts/1/comments?_limit=1' },
  { path: '/articles?by=body&_sort=id' },
  { path: '/articles/1?_embed=comments' },
  { path: '/blogs' },
  { path: '/blogs/1' },
  { path: '/auth/me' },
  { path: '/db' },
  { path: '/nothing?_page=1' },
  { method: 'POST', path: '/posts?_embed=x', body: '{"title": "New", "views": 7}' },
  { method: 'PATCH', path: '/posts/1?a=b', body: '{"views": 1}' },
  { method: 'DELETE', path: '/posts/1?a=b' },
  { path: '/comments?_sort=id' },
]

const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

function optionsOf(): AppOptions {
  const routes = { '/articles?by=:field': '/posts?_sort=:field', '/articles/:id': '/posts/:id' }
  return { data: sampleData(), routes, secret: 'a secret', clock: () => Date.UTC(2026, 0, 1), log: false }
}

/** What a client gets of a server, at a prefix, one request after the other. */
async function answers(server: TestServer, prefix: string): Promise<object[]> {
  servers.push(server)
  const login = await askJson(server.url, { method: 'POST', path: `${prefix}/auth/login`, body: ADA })
  const headers = authorized(JSON.parse(login.text).access_token)
  const found = []
  for (const { path, ...question } of QUESTIONS) {
    const answer = await ask(server.url, { ...question, path: prefix + path, headers })
    found.push({ path, ...comparable(answer, server.url + prefix) })
  }
  return found
}

function comparable({ status, headers, text }: Answer, url: string): object {
  const { link, location } = headers
  const hide = (value: unknown) => String(value).replaceAll(url, '<url>')
  const { 'x-total-count': count, 'content-type': type } = headers
  return { status, count, type, link: hide(link), location: hide(location), text: hide(text) }
}

describe.each(Object.entries(PARENTS))('in %s', (_name, mount) => {
  test.each(['/', '/api', '/api/v1'])('at %s, it responds as by itself', async (prefix) => {
    const alone = await answers(await serve(createApp(optionsOf())), '')
    const mounted = await serve(mount(prefix, optionsOf()))
    expect(await answers(mounted, prefix === '/' ? '' : prefix)).toEqual(alone)
  })
})

test('in Express 5, a middleware of the user changes the query that the router reads', async () => {
  const options: AppOptions = {
    ...optionsOf(),
    allow: ['GET /posts'],
    middlewares: [
      (request, _response, next) => {
        request.query._limit = '1'
        next()
      },
    ],
  }
  const server = await serve(express5().use('/api', createApp(options)))
  servers.push(server)
  expect(json(await ask(server.url, { path: '/api/posts' }))).toHaveLength(1)
})

test('in Express 5 that has parsed the body, a sandbox takes its records from it', async () => {
  const app = createApp({ ...optionsOf(), sandboxes: true })
  const server = await serve(express5().use(express5.json()).use(app))
  servers.push(server)
  const headers = { ...authorized(await logIn(server.url)), 'X-Sandbox': 'lab' }
  const body = '{"tags": [{"id": 7}]}'
  const reset = await ask(server.url, { method: 'POST', path: '/__sandbox/reset', headers, body })
  expect(reset.status).toBe(204)
  expect(json(await ask(server.url, { path: '/tags', headers }))).toEqual([{ id: 7 }])
})
