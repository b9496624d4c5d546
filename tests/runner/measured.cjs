const { readFileSync } = require('node:fs')
const { default: runTests } = require('jest-circus/runner')

/** How much of the same work is done, to see how slow the machine is at the moment. */
const ROUNDS = 3
/** The processor time of one round, in seconds, on a quiet machine with two cores, where the limits were set. */
const QUIET = 0.0016

const rows = Array.from({ length: 2000 }, (_, id) => ({ id, title: `Title ${id}`, tags: ['a', 'b'] }))

/**
 * Runs the tests of a file, and adds to their result the processor time that they took, in seconds, and how
 * many times as long as on a quiet machine the same work takes now.
 */
module.exports = async (...parameters) => {
  const start = processorTime()
  for (let round = 0; round < ROUNDS; round += 1)
    JSON.parse(JSON.stringify(rows)).sort((one, other) => other.title.localeCompare(one.title))
  const before = processorTime()
  const result = await runTests(...parameters)
  return {
    ...result,
    processorTime: processorTime() - before,
    slowness: (before - start) / ROUNDS / QUIET,
  }
}

/** The processor time of this process and of its children that have ended, in seconds. */
function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenTime()
}

/** That of the children, where the system tells: on Linux in hundredths of a second (proc_pid_stat(5)). */
function childrenTime() {
  if (process.platform !== 'linux') return 0
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[^)]*$)/)
  const [user, system] = fields.split(' ').slice(13, 15).map(Number)
  return (user + system) / 100
}
