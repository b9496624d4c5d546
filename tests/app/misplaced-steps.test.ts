import { createApp } from '../../server'
import { misplacements } from './misplaced'
import { failedProbe } from './order-probes'

/** They would let somebody in, hide a route or lose a line of the log. The slow test makes all moves. */
const MATTER = [
  'cutTarget behind sandboxSteps?.enterSandbox',
  'requestLog behind localOnly',
  'cors behind sandboxSteps?.enterSandbox',
  'staticFiles behind sandboxSteps?.enterSandbox',
  'userLookup behind sandboxSteps?.enterSandbox',
  'rewriter behind sandboxSteps?.keepSandbox',
  'overrideMethod behind sandboxSteps?.keepSandbox',
  'publicReads behind tokenCheck',
  'tokenCheck behind sandboxSteps?.keepSandbox',
  'parseBody ahead of rewriter',
  'sandboxSteps?.keepSandbox ahead of rewriter',
  'home behind sandboxSteps?.enterSandbox',
  'resources.handle ahead of home',
]

test('every probe of the order passes on the real order', async () => {
  expect(await failedProbe(createApp)).toBe(undefined)
})

test.each(MATTER)('a probe notices %s', async (title) => {
  const moved = misplacements().find((misplacement) => misplacement.title === title)
  if (moved === undefined) throw new Error(`server.ts has no such steps any more: name another move.`)
  expect(await failedProbe(moved.load())).toEqual(expect.any(String))
})
