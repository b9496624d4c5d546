import { isRecord } from '../../lib/is-record'
import { ADA } from '../support/data'
import { Contract, expectDocumented } from '../support/document'
import { type Answer, ask, json, type Question, question, withHeaders } from '../support/http'
import { type Documented, documentedServers } from './documented'
import { data as legitimateData, otherData, rewriteRules } from './legitimate-data'
import {
  lives,
  otherReads,
  otherWrites,
  reads,
  readsOfEach,
  rewrittenReads,
  rewrittenWrites,
  writes,
} from './legitimate-requests'
import { refused } from './refused-requests'

const start = documentedServers()

/** Asks in turn, and fills in the id of the last response. */
async function askAll(
  server: Documented,
  questions: readonly Question[],
  check: (asked: Question, answer: Answer) => Promise<void> | void,
): Promise<void> {
  let id = ''
  for (const next of questions) {
    const path = next.path.replace('{id}', encodeURIComponent(id))
    const asked = withHeaders({ ...next, path }, server.authorization)
    const answer = await ask(server.url, asked)
    // A JSONP response is not JSON.
    if (answer.status === 201 && !path.includes('callback=')) id = createdId(json(answer))
    await check(asked, answer)
  }
}

function createdId(body: unknown): string {
  return isRecord(body) ? String(body._id ?? body.id ?? '') : ''
}

test.each<
  [title: string, data: Record<string, unknown>, options: object, questions: Question[], least: number]
>([
  ['reads', legitimateData(), {}, [...readsOfEach, ...reads], 500],
  ['reads with another id', otherData(), { idProperty: '_id', foreignKeySuffix: '_id' }, otherReads, 10],
  ['rewritten reads', legitimateData(), { routes: rewriteRules }, rewrittenReads, 12],
  [
    'refused requests',
    legitimateData(),
    {},
    refused.map(({ request, type }) =>
      withHeaders(question(request), type === undefined ? {} : { 'Content-Type': type }),
    ),
    60,
  ],
])(
  'the requests that are compared with json-server, %s: responses as documented',
  async (_title, data, options, questions, least) => {
    const server = await start(data, options)
    const contract = await Contract.of(server.url)
    let documented = 0
    await askAll(server, questions, (asked, answer) => {
      if (contract.problems(asked, answer) === undefined) return
      documented += 1
      expectDocumented(contract, asked, answer)
    })
    expect(documented).toBeGreaterThanOrEqual(least)
  },
)

test.each<[title: string, data: () => Record<string, unknown>, options: object, sequences: Question[][]]>([
  ['writes', legitimateData, {}, [...lives, ...writes]],
  ['writes with another id', otherData, { idProperty: '_id', foreignKeySuffix: '_id' }, otherWrites],
  ['rewritten writes', legitimateData, { routes: rewriteRules }, rewrittenWrites],
])(
  'the requests that are compared with json-server, %s: responses as documented',
  async (_title, data, options, sequences) => {
    const server = await start(data(), options)
    let contract = await Contract.of(server.url)
    for (const sequence of sequences) {
      server.data.replace({ ...data(), users: [{ id: 99, ...ADA }] })
      await askAll(server, sequence, async (asked, answer) => {
        const problems = contract.problems(asked, answer)
        if (problems === undefined || problems.length === 0) return
        // Some of these requests change types on purpose: the document of the data as it is afterwards knows
        // the new ones.
        server.data.replace(structuredClone(server.data.state))
        contract = await Contract.of(server.url)
        expectDocumented(contract, asked, answer)
      })
    }
  },
)
