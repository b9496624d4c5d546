import { createApp } from '../../server'
import { misplacements } from '../support/misplaced'
import { failedProbes } from '../support/order-probes'

/**
 * Neither a response nor the log tells these. `inTurn` is about what stays open when a client goes away,
 * which its own test counts; of the last two, the steps respond to different requests.
 */
const FREE = [
  'inTurn behind requestLog',
  'inTurn behind sandboxSteps?.enter',
  'requestLog ahead of inTurn',
  'userLookup behind documentation',
  'login behind publicReads',
]

test('every probe of the order finds what it should', async () => {
  expect(await failedProbes(createApp)).toEqual([])
})

test('whichever step stands in another place, a probe of the order finds it', async () => {
  const unnoticed: string[] = []
  for (const { title, createApp: misplaced } of misplacements()) {
    if ((await failedProbes(misplaced)).length === 0) unnoticed.push(title)
  }
  expect(unnoticed).toEqual(FREE)
})
