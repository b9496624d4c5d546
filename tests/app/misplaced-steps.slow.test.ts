import { misplacements } from './misplaced'
import { failedProbe } from './order-probes'

/**
 * Moves that change neither a response nor the log: the steps respond to different requests, or no server has
 * both.
 */
const FREE = [
  'userLookup behind documentation',
  'staticFiles behind home',
  'logIn behind publicReads',
  'logIn behind home',
  'home ahead of logIn',
  'sayWhoAmI behind accountSteps?.finishSignUp',
]

test('whichever step is moved, a probe of the order notices it', async () => {
  const unnoticed: string[] = []
  for (const { title, load } of misplacements()) {
    if ((await failedProbe(load())) === undefined) unnoticed.push(title)
  }
  expect(unnoticed).toEqual(FREE)
})
