/**
 * How often a property is tried in a fast test. `tests/random-runs.slow.test.ts` runs the same tests again,
 * with the greater number.
 */
export function runs({ fast, slow }: Record<'fast' | 'slow', number>): { numRuns: number } {
  return { numRuns: expect.getState().testPath?.endsWith('.slow.test.ts') ? slow : fast }
}
