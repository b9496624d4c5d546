import { createApp } from '../../server'
import { misplacements } from '../support/misplaced'
import { failedProbes } from '../support/order-probes'

/** Nobody can tell these: the two steps of each respond to different requests. */
const FREE = ['userLookup behind documentation', 'login behind publicReads']

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
