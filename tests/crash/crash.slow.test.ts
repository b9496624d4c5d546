import { KEPT } from '../support/kept-data'
import { killAll } from '../support/process'
import { crashRound, KINDS } from './harness'

afterAll(killAll)

describe.each(KEPT)('%s', (_kind, keep) => {
  describe.each(KINDS)('of a server that is ended by $name', (kind) => {
    it.each([0, 1])('has every acknowledged change, and is served again (round %i)', async (round) => {
      const result = await crashRound({ kind, keep, round, ballast: 20_000, random: Math.random })
      expect(result).toMatchObject({ refused: 0, losses: [], errors: [] })
      expect(result.acknowledged).toBeGreaterThan(0)
    })
  })
})
