import { isRecord } from '../lib/is-record'
import { recordOf, recordsOf, spreadId, type Workload } from './workload'

export const list: Workload = {
  title: 'GET /blogs',
  expectedStatus: 200,
  request: () => ({ method: 'GET', path: '/blogs' }),
  isRight: (answer, _number, { size }) => recordsOf(answer).length === size,
}

export const zippedList: Workload = {
  title: 'GET /blogs, gzip',
  expectedStatus: 200,
  request: () => ({ method: 'GET', path: '/blogs', headers: { 'Accept-Encoding': 'gzip' } }),
  isRight: (answer, _number, { size }) =>
    answer.headers['content-encoding'] === 'gzip' && recordsOf(answer).length === size,
}

export const unchangedList: Workload = {
  title: 'GET /blogs, 304',
  expectedStatus: 304,
  request: (_number, { listTag }) => ({
    method: 'GET',
    path: '/blogs',
    headers: { 'If-None-Match': listTag },
  }),
  isRight: ({ body }) => body.length === 0,
}

export const publicSingle: Workload = {
  title: 'GET /blogs/:id',
  expectedStatus: 200,
  request: (number, { size }) => ({ method: 'GET', path: `/blogs/${spreadId(number, size)}` }),
  isRight: (answer, number, { size }) => recordOf(answer).id === spreadId(number, size),
}

export const protectedRead: Workload = {
  title: 'GET /users/:id, token',
  expectedStatus: 200,
  request: (_number, { authorization }) => ({ method: 'GET', path: '/users/5', headers: authorization }),
  isRight: (answer) => recordOf(answer).id === 5,
}

/** By the trailing slash it is no public read, so that it goes through the token check and json-server's router. */
export const protectedBlog: Workload = {
  title: 'GET /blogs/:id/, token',
  expectedStatus: 200,
  request: (number, { size, authorization }) => ({
    method: 'GET',
    path: `/blogs/${spreadId(number, size)}/`,
    headers: authorization,
  }),
  isRight: (answer, number, { size }) => recordOf(answer).id === spreadId(number, size),
}

/** By the trailing slash, as above: the public list takes no notice of a query. */
export const page: Workload = {
  title: 'GET /blogs, page, token',
  expectedStatus: 200,
  request: (_number, { authorization }) => ({
    method: 'GET',
    path: '/blogs/?userid=3&_sort=title&_page=2&_limit=20',
    headers: authorization,
  }),
  isRight: (answer) => {
    const records = recordsOf(answer)
    return records.length === 20 && records.every((record) => isRecord(record) && record.userid === 3)
  },
}
