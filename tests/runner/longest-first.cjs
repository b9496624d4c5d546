const { default: Sequencer } = require('@jest/test-sequencer')

/** The slow tests that take longest, as the ends of their paths. */
const LONGEST = [
  'app/small-heap.slow.test.ts',
  'drop-in/recipes.slow.test.ts',
  'drop-in/package.slow.test.ts',
  'drop-in/setups.slow.test.ts',
  'app/process.slow.test.ts',
  'app/no-regular-file.slow.test.ts',
  'drop-in/refusals.slow.test.ts',
  'app/misplaced-steps.slow.test.ts',
  'crash/crash.slow.test.ts',
]

/**
 * Starts the files that take longest first, so that none of them is left to run alone at the end. Jest does that
 * by itself once it has seen how long they take; in a fresh clone it would go by the size of the files.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other))
  }
}

function rank({ path, duration }) {
  const place = LONGEST.findIndex((end) => path.endsWith(end))
  return duration !== undefined || place === -1 ? LONGEST.length : place
}
