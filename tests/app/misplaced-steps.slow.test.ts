import { misplacements } from './misplaced'
import { failedProbe } from './order-probes'

/**
 * Moves that change neither a response nor the log: the steps respond to different requests, or no server has
 * both.
 */
const FREE = [
  'cutTarget behind requestLog',
  'requestLog ahead of cutTarget',
  'userLookup behind documentation',
  'staticFiles behind home',
  'login behind publicReads',
  'parseBody behind sandboxSteps?.keepSandbox',
]

test('whichever step is moved, a probe of the order notices it', async () => {
  const unnoticed: string[] = []
  for (const { title, load } of misplacements()) {
    if ((await failedProbe(load())) === undefined) unnoticed.push(title)
  }
  expect(unnoticed).toEqual(FREE)
})
