import { killAll } from '../support/process'
import { crashRound, KINDS } from './harness'

afterAll(killAll)

// The rounds have other numbers, so that of the two signals one comes in the middle of a write.
test.each(KINDS.map((kind, round) => ({ ...kind, kind, round })))(
  'a server that is ended by $name has every acknowledged change in its file, and starts again',
  async ({ kind, round }) => {
    const result = await crashRound({ kind, round, ballast: 20_000, random: Math.random })
    expect(result).toMatchObject({ refused: 0, losses: [], errors: [] })
    expect(result.acknowledged).toBeGreaterThan(0)
  },
)
