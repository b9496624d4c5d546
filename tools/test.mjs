/**
 * `npm test`: lint and types beside the fast tests, which keep two cores busy. Arguments are those of jest. The last line names
 * the tests that have not run.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Runs the program of a package with Node, as Windows can do it, too; `printed` is what it has said in the end. */
function start(program, args, stdio) {
  const child = spawn(process.execPath, [path.join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    stdio,
  })
  const exit = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  return Promise.all([exit, printed])
}

const checks = [
  [
    'lint',
    start('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--colors=force', '.'], 'pipe'),
  ],
  ['types', start('typescript-7/bin/tsc', ['--pretty'], 'pipe')],
  ['types of the tests', start('typescript-7/bin/tsc', ['--pretty', '-p', 'tests'], 'pipe')],
  [
    'tests',
    start(
      'jest/bin/jest.js',
      ['--selectProjects', 'fast', '--config', 'jest.config.js', ...process.argv.slice(2)],
      'inherit',
    ),
  ],
]

const failed = []
for (const [name, running] of checks.toReversed()) {
  const [code, printed] = await running
  if (code === 0) continue
  failed.push(name)
  process.stderr.write(printed.join(''))
}
console.log(
  `\n${failed.length === 0 ? 'Lint, types and the fast tests have passed' : `Failed: ${failed.join(', ')}`}. Not run: the comparisons with json-server and the failing disks (npm run test:compare), which CI runs, too.`,
)
process.exitCode = failed.length === 0 ? 0 : 1
