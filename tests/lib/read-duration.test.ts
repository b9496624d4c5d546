import { readDuration } from '../../lib/read-duration'

it.each([
  ['30s', 30],
  ['15m', 900],
  ['1h', 3600],
  ['7d', 604_800],
])('%s is %d seconds', (text, expected) => {
  expect(readDuration(text)).toBe(expected)
})

it.each(['', '0s', '1', 's', '-1h', '1.5h', '1 h', '1w', '1H', '9999999999s'])(
  '%j is no duration',
  (text) => {
    expect(readDuration(text)).toBeUndefined()
  },
)
