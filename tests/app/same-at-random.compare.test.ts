import fc from 'fast-check'
import { runs } from '../support/random'
import { changedData, requests } from './random-requests'
import { Pair } from './same-as-json-server'

it.each([
  { setting: 'only the server can change', isShared: false },
  { setting: 'somebody else may change', isShared: true },
])(
  'lists of every kind, before and after changes of every kind, over data that $setting',
  async ({ isShared }) => {
    await fc.assert(
      fc.asyncProperty(requests, async (questions) => {
        const pair = await Pair.start(changedData, { isShared })
        await pair.expectSameAnswers([...questions, { path: '/db' }])
        await pair.close()
      }),
      // Of some 50 requests each.
      { ...runs(6), seed: 17, endOnFailure: true },
    )
  },
)
