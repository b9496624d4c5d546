import { isRecord } from '../lib/is-record'
import { credentials, newBlog, USERS } from './data'
import type { RequestSpec } from './exchange'
import { parsed, recordOf, spreadId, type Workload } from './workload'

export const login: Workload = {
  title: 'POST /auth/login',
  expectedStatus: 200,
  request: (number) => withBody('POST', '/auth/login', credentials(1 + (number % USERS)), {}),
  isRight: (answer) => typeof recordOf(answer).access_token === 'string',
}

export const create: Workload = {
  title: 'POST /blogs, durable',
  expectedStatus: 201,
  drifts: true,
  request: (number, { authorization }) => withBody('POST', '/blogs', newBlog(number), authorization),
  isRight: (answer) => typeof recordOf(answer).id === 'number',
}

export const update: Workload = {
  title: 'PATCH /blogs/:id, durable',
  expectedStatus: 200,
  request: (number, { size, authorization }) =>
    withBody('PATCH', `/blogs/${spreadId(number, size)}`, { title: `Edition ${number}` }, authorization),
  isRight: (answer, number) => recordOf(answer).title === `Edition ${number}`,
}

export const remove: Workload = {
  title: 'DELETE /blogs/:id, durable',
  expectedStatus: 200,
  drifts: true,
  request: (number, { size, authorization }) => ({
    method: 'DELETE',
    path: `/blogs/${spreadId(number, size)}`,
    headers: authorization,
  }),
  isRight: (answer) => isRecord(parsed(answer)),
}

function withBody(
  method: string,
  path: string,
  value: object,
  authorization: Record<string, string>,
): RequestSpec {
  return {
    method,
    path,
    headers: { ...authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  }
}
