const path = require('node:path')

/** Seconds of processor time on a quiet machine that a fast file, and all of them together, may cost. */
const MOST_OF_A_FILE = 6
const MOST_OF_THE_TIER = 130
const FILES_BETWEEN_LINES = 10
const COSTLIEST = 10

/**
 * Says how far the tests are and which cost most processor time. Where the environment variable CI is set, too
 * expensive ones fail on Linux, where the limits were measured: on a shared machine, time by the clock says
 * nothing. Even processor time grows where other work shares the cores and their caches, so a machine that is
 * slow at the moment is allowed more.
 */
module.exports = class Reporter {
  #files = []
  #error

  onRunStart({ numTotalTestSuites: total }, { estimatedTime: seconds }) {
    const duration = seconds > 0 ? `, which took about ${seconds} s the last time` : ''
    say(`Running ${total} files of tests${duration}.`)
  }

  onTestResult(
    { path: file, context: { config } },
    { processorTime = 0, slowness = 1 },
    { numTotalTestSuites: total },
  ) {
    const name = path.relative(config.rootDir, file)
    this.#files.push({ name, isFast: config.displayName?.name === 'fast', seconds: processorTime, slowness })
    const done = this.#files.length
    if (done % FILES_BETWEEN_LINES === 0 && done < total)
      say(`${done} of ${total} files, ${total - done} left.`)
  }

  onRunComplete() {
    const files = this.#files.sort((one, other) => other.seconds - one.seconds)
    say(`\n${inSeconds(sumOf(files))} of processor time; the costliest files:`)
    for (const { name, seconds } of files.slice(0, COSTLIEST))
      say(`${inSeconds(seconds).padStart(8)}  ${name}`)
    const slowness = Math.max(1, median(files.map(({ slowness }) => slowness)))
    if (slowness > 1) say(`The machine was ${slowness.toFixed(1)} times as slow as a quiet one.`)
    const problems = excesses(
      files.filter(({ isFast }) => isFast),
      slowness,
    )
    for (const problem of problems) say(problem)
    const mayFail = process.env.CI !== undefined && process.platform === 'linux'
    if (mayFail && problems.length > 0) this.#error = new Error(problems.join('\n'))
  }

  getLastError() {
    return this.#error
  }
}

/** What is too expensive, in sentences. */
function excesses(fast, slowness) {
  const ofFile = MOST_OF_A_FILE * slowness
  const ofTier = MOST_OF_THE_TIER * slowness
  const found = fast
    .filter(({ seconds }) => seconds > ofFile)
    .map(({ name, seconds }) => `${name} costs ${inSeconds(seconds)}, and may cost ${inSeconds(ofFile)}.`)
  const all = sumOf(fast)
  if (all > ofTier) found.push(`The fast tests cost ${inSeconds(all)}, and may cost ${inSeconds(ofTier)}.`)
  return found.length === 0 ? [] : [...found, 'Split such a file, or move a part of it to a *.slow.test.ts.']
}

function median(numbers) {
  return numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

function sumOf(files) {
  return files.reduce((sum, { seconds }) => sum + seconds, 0)
}

function inSeconds(seconds) {
  return `${seconds.toFixed(1)} s`
}

function say(line) {
  process.stderr.write(`${line}\n`)
}
