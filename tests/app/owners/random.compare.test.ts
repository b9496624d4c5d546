import fc from 'fast-check'
import type { Data } from '../../../lib/data/valid-data'
import { isRecord } from '../../../lib/is-record'
import { ask, type Question } from '../../support/http'
import { servePlain } from '../../support/json-server'
import { runs } from '../../support/random'
import { changedData, requests } from '../random-requests'
import { ANN, BEN, Household } from './people'

const PEOPLE = [ANN, BEN]

/** Comments are private and posts owned, by turns of Ann, Ben and nobody. */
function sharedData(): Data {
  const { posts, comments } = changedData()
  const owned = (records: unknown) =>
    (Array.isArray(records) ? records : []).map((record: object, index) => ({
      ...record,
      ...(index % 3 < 2 && { userId: index % 3 === 0 ? ANN.id : String(BEN.id) }),
    }))
  return { users: PEOPLE, posts: owned(posts), comments: owned(comments) }
}

/** The data as somebody may see it: json-server knows of nothing else. */
function copyFor(person: { id: number }, { users, posts, comments }: Data): Data {
  const list = (records: unknown): unknown[] => (Array.isArray(records) ? records : [])
  return structuredClone({
    users: list(users).map((user) => {
      const { password, ...shown } = isRecord(user) ? user : {}
      return shown.id === person.id ? { ...shown, password } : shown
    }),
    posts,
    comments: list(comments).filter(
      (record) => isRecord(record) && String(record.userId) === String(person.id),
    ),
  })
}

/** The records of others, which no request of somebody may change: of the private list, and of the owned one. */
function ofOthers(person: { id: number }, data: Data): unknown[] {
  return ['posts', 'comments'].flatMap((name) => {
    const records = data[name]
    return Array.isArray(records)
      ? records.filter((record) => isRecord(record) && String(record.userId) !== String(person.id))
      : []
  })
}

const steps = fc.tuple(requests, fc.infiniteStream(fc.constantFrom(...PEOPLE))).map(([asked, people]) => {
  const more: Question[] = [
    { path: '/db' },
    { path: '/users?_embed=comments' },
    { path: '/comments?_expand=user' },
  ]
  return [...asked, ...more].map((question) => ({ question, person: people.next().value ?? ANN }))
})

test('whatever two people ask for, each gets what json-server gives over the records that they may see, and changes no other', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (asked) => {
      const house = await Household.open({
        data: sharedData(),
        private: ['comments'],
        owned: ['posts'],
        cascade: false,
      })
      for (const { question, person } of asked) {
        const headers = { ...question.headers, Authorization: `Bearer ${await house.tokenOf(person)}` }
        const before = house.data.state
        const ours = await ask(house.server.url, { ...question, headers })
        if (question.method === undefined) {
          const plain = await servePlain(copyFor(person, before))
          const theirs = await ask(plain.url, question)
          const told = ({ status, text, headers: sent }: typeof ours) => ({
            status,
            text,
            total: sent['x-total-count'],
          })
          expect({ question, ...told(ours) }).toEqual({ question, ...told(theirs) })
          await plain.close()
        } else {
          expect(ours.status).toBeLessThan(500)
          expect(ofOthers(person, house.data.state)).toEqual(ofOthers(person, before))
        }
      }
      await house.server.close()
    }),
    { ...runs(4), seed: 29, endOnFailure: true },
  )
})
