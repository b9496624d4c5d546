import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/process'

/** The paths of the program's modules, with slashes on every system. */
const files = ['lib', 'middlewares']
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { encoding: 'utf8', recursive: true }).map(
      (name) => `${folder}/${name.replaceAll(path.sep, '/')}`,
    ),
  )
  .concat('server.ts')
  .filter((file) => file.endsWith('.ts'))

/** The modules of this project that a file imports, as paths without extension. */
function importsOf(file: string): string[] {
  const code = readFileSync(path.join(ROOT, file), 'utf8')
  return Array.from(code.matchAll(/(?:from |import |import\(|require\()'(\.[^']*)'/g), ([, module = '']) =>
    path.posix.join(path.posix.dirname(file), module),
  )
}

// The step in server.ts, what the flag loads or says, and what test runners import where it speaks of the
// option.
test.each([
  ['lib/options/accounts', ['lib/cli/flags/setting-values.ts', 'server.ts']],
  [
    'lib/options/sandboxes',
    ['lib/cli/flags/flags.ts', 'lib/testing/playwright.ts', 'lib/testing/sandbox.ts', 'server.ts'],
  ],
  ['lib/options/docs', ['lib/cli/flags/flags.ts', 'server.ts']],
  [
    'lib/options/faults',
    [
      'lib/cli/flags/flag-options.ts',
      'lib/options/sandboxes/docs/sandbox-docs.ts',
      'lib/options/sandboxes/index.ts',
      'lib/options/sandboxes/sandbox-routes.ts',
      'lib/options/sandboxes/sandboxes.ts',
      'lib/testing/sandbox.ts',
      'server.ts',
    ],
  ],
])('without %s, nothing else has to be changed than %j', (folder, expected) => {
  const isGone = (name: string) => `${name}/`.startsWith(`${folder}/`)
  const broken = files.filter((file) => !isGone(file) && importsOf(file).some(isGone))
  expect(broken.sort()).toEqual(expected)
})
