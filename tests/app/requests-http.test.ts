import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { createApp } from '../../server'
import { ask, json, type Question, serve, type TestServer } from '../support/http'
import { Contract, expectDocumented } from './contract'

const ROOT = path.join(__dirname, '../..')

interface Step {
  title: string
  question: Question
  status: number
}

let server: TestServer
beforeAll(async () => {
  const data: unknown = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
  server = await serve(
    createApp({ data: new MemoryData(isRecord(data) ? data : {}), docs: true, log: false }),
  )
})
afterAll(() => server.close())

/**
 * The requests of the file as VS Code's REST Client reads them: everything below the empty line is the body.
 */
function readSteps(text: string): Step[] {
  return text
    .split(/^### /m)
    .map((block) => {
      const [title = '', ...lines] = block.split('\n')
      const [head = '', ...body] = lines
        .filter((line) => !line.startsWith('# '))
        .join('\n')
        .split('\n\n')
      const [first = '', ...headers] = head.split('\n')
      const [, method, target] = /^([A-Z]+) \{\{host\}\}(\S+)$/.exec(first) ?? []
      const status = Number(/-> (\d{3})/.exec(title)?.[1])
      if (method === undefined || target === undefined) return undefined
      const content = body.join('\n\n').trimEnd()
      const fields = Object.fromEntries(headers.filter((line) => line !== '').map((line) => line.split(': ')))
      return {
        title,
        status,
        question: { method, path: target, headers: fields, ...(content !== '' && { body: content }) },
      }
    })
    .filter((step) => step !== undefined)
}

test('requests.http: each request gets the status that it announces, as documented', async () => {
  const contract = await Contract.of(server.url)
  const steps = readSteps(readFileSync(path.join(ROOT, 'requests.http'), 'utf8'))
  let token = ''
  for (const { title, status, question } of steps) {
    const headers = Object.fromEntries(
      Object.entries(question.headers ?? {}).map(([name, value]) => [
        name,
        String(value).replace('{{token}}', token),
      ]),
    )
    const asked = { ...question, headers }
    const answer = await ask(server.url, asked)
    expect({ title, status: answer.status }).toEqual({ title, status })
    expectDocumented(contract, asked, answer)
    const body = json(answer)
    if (isRecord(body) && typeof body.access_token === 'string') token = body.access_token
  }
  expect(steps).toHaveLength(19)
})
