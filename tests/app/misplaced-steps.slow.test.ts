import { misplacements } from './misplaced'
import { failedProbe } from './order-probes'

/**
 * Moves that change neither a response nor the log. `inTurn` matters for files that stay open when a client
 * disconnects, which its own test counts; the steps of the others respond to different requests.
 */
const FREE = [
  'inTurn behind requestLog',
  'inTurn behind sandboxSteps?.enter',
  'requestLog ahead of inTurn',
  'userLookup behind documentation',
  'login behind publicReads',
]

test('whichever step is moved, a probe of the order notices it', async () => {
  const unnoticed: string[] = []
  for (const { title, load } of misplacements()) {
    if ((await failedProbe(load())) === undefined) unnoticed.push(title)
  }
  expect(unnoticed).toEqual(FREE)
})
