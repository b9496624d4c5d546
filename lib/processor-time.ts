import { runInLimitedTime } from './limited-time'

/**
 * Runs what may take forever as {@link runInLimitedTime} does, and again where the machine was too busy to do it in that time
 * by the clock.
 *
 * @param limit milliseconds
 * @returns what the work returns; undefined where it has taken the processor for half of the time
 */
export function runInProcessorTime<Result>(
  work: () => Result,
  limit: number,
): { result: Result } | undefined {
  const begin = process.cpuUsage()
  for (;;) {
    const done = runInLimitedTime(work, limit)
    if (done !== undefined) return done
    const { user, system } = process.cpuUsage(begin)
    if ((user + system) / 1000 > limit / 2) return undefined
  }
}
