import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { errorMessage } from '../../lib/error-code'
import { isRecord } from '../../lib/is-record'
import { MODULES } from './installed-package'

/**
 * Installs packages that are too large for every `npm ci`, once for all runs. Where npm cannot do that, their
 * tests are skipped with a note; with the environment variable CI they fail.
 *
 * @param name of the folder for all of them
 * @param packages what to install, by the name under which it is wanted
 * @param flags further flags of npm
 * @returns the folder that holds each by its name, and jest's `test` for tests that need them
 */
export function fromNpm(
  name: string,
  packages: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): { folder: string; testWith: jest.It } {
  const home = path.join(MODULES, '.cache/from-npm', name)
  const folder = path.join(home, 'node_modules')
  const found = { folder, testWith: test }
  if (Object.keys(packages).every((alias) => existsSync(path.join(folder, alias, 'package.json'))))
    return found
  // A person who is offline need not wait for what cannot come.
  const retries = process.env.CI === undefined ? 0 : 3
  const options = `--no-save --no-package-lock --ignore-scripts --no-audit --no-fund --fetch-retries ${retries}`
  const wanted = Object.entries(packages)
    .map((entry) => entry.join('@'))
    .join(' ')
  try {
    execSync(`npm install --prefix "${home}" ${[options, ...flags, wanted].join(' ')}`, { stdio: 'pipe' })
    return found
  } catch (error) {
    // The message repeats the command; what npm prints says why.
    const [reason = errorMessage(error)] = /npm error .*/.exec(String(isRecord(error) && error.stderr)) ?? []
    const problem = `npm cannot install ${wanted}: ${reason}`
    if (process.env.CI !== undefined) throw new Error(problem)
    process.stderr.write(`${problem}. The tests that need it are skipped.\n`)
    return { folder, testWith: test.skip }
  }
}

/** The package with the executable for this system, as the package `node` of npm names it. */
export function packageOfNode(): string {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** The executable in that package. */
export const NODE = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
