const { readFileSync } = require('node:fs')
const { default: runTests } = require('jest-circus/runner')

/** Runs the tests of a file, and adds the processor time that they took, in seconds, to their result. */
module.exports = async (...parameters) => {
  const before = processorTime()
  const result = await runTests(...parameters)
  return { ...result, processorTime: processorTime() - before }
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
