import { redactTarget } from '../../../../lib/http/log/redact-target'

test.each([
  '?token',
  '&token',
  '//',
  '//a@',
  'eyJ',
  'eyJ.',
  '-eyJ',
  'a=',
  '=',
  '%61',
  '.',
  '@',
  'pass_',
  'aB',
])('the time for %s many times over grows as the length does', (piece) => {
  // Processor time, because other processes may keep the machine busy.
  const time = (length: number): number => {
    const target = `/${piece.repeat(length / piece.length)}`
    const times = Array.from({ length: 7 }, () => {
      const start = process.cpuUsage()
      redactTarget(target)
      const { user, system } = process.cpuUsage(start)
      return user + system
    })
    return Math.min(...times)
  }
  time(10_000)
  // For twice the length, cubic time is 8 times as long, and quadratic time 4 times.
  expect(time(160_000) / time(20_000)).toBeLessThan(32)
})
