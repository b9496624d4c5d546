/** What has to be undone however the benchmark ends. */
const tasks = new Set<() => void>()

/**
 * Has something done when the process ends: by itself, by an error, or by Ctrl-C.
 *
 * @param task must be synchronous: the process does not wait
 * @returns takes the task back
 */
export function atExit(task: () => void): () => void {
  tasks.add(task)
  return () => tasks.delete(task)
}

process.once('exit', () => {
  for (const task of tasks) task()
})

// Without a handler a signal ends the process without the event `exit`. 128 + the number of the signal is the shells' custom.
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
process.once('SIGHUP', () => process.exit(SIGNALS.SIGHUP))
process.once('SIGINT', () => process.exit(SIGNALS.SIGINT))
process.once('SIGTERM', () => process.exit(SIGNALS.SIGTERM))
