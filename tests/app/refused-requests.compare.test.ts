import { question, withHeaders } from '../support/http'
import { refused } from './refused-requests'
import {
  type Ask,
  expectSentence,
  expectShown,
  expectToWork,
  startingServers,
  startOurs,
  startPlain,
} from './traps'

startingServers()

describe('requests that are refused, because json-server fails on them or corrupts the data', () => {
  const titled = refused.map((refusal) => ({
    title: [`${refusal.why}:`, refusal.request.slice(0, 60), refusal.type].join(' ').trim(),
    ...refusal,
  }))

  /** No row may leave a change in it. */
  let ours: Ask
  beforeAll(async () => {
    ours = await startOurs()
  })

  it.each(titled)('$title', async ({ request, type, plain: expected, afterwards, ours: status }) => {
    const asked = question(request)
    const sent = type === undefined ? asked : withHeaders(asked, { 'Content-Type': type })
    const plain = await startPlain()
    expectShown(await plain(sent), expected)
    if (afterwards) expectShown(await plain(afterwards.request), afterwards.plain)

    const before = await ours('GET /db')
    const answer = await ours(sent)
    expect(answer.status).toBe(status)
    expectSentence(answer)
    expect((await ours('GET /db')).text).toBe(before.text)
    await expectToWork(ours)
  })
})
