/** How many times as often every property is tried as in a usual run: `RANDOM_RUNS=100 npx jest ...`. */
const { RANDOM_RUNS = '1' } = process.env

/** How often a property is tried. */
export function runs(count: number): { numRuns: number } {
  return { numRuns: count * Number(RANDOM_RUNS) }
}
