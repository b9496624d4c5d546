/** The middle of some measured values and how far they lie apart. */
export interface Spread {
  median: number
  lowest: number
  highest: number
}

/** @throws RangeError when there are no values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const below = sorted[Math.floor(middle)]
  const above = sorted[Math.ceil(middle)]
  if (below === undefined || above === undefined)
    throw new RangeError('There are no values to take a median of.')
  return { median: (below + above) / 2, lowest: Math.min(...sorted), highest: Math.max(...sorted) }
}

/**
 * The ratios round by round. Values of one round were measured right after each other, so what slows the machine for
 * a while slows both.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}
