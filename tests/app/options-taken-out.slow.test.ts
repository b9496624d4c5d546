import path from 'node:path'
import ts from 'typescript'

const ROOT = path.resolve(__dirname, '../..')

/** The files of the program that do not compile without a folder, by their paths. */
function brokenWithout(folder: string): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.build.json'), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const isGone = (file: string) => path.resolve(file).startsWith(path.join(ROOT, folder) + path.sep)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile } = host
  host.fileExists = (file) => !isGone(file) && fileExists(file)
  host.readFile = (file) => (isGone(file) ? undefined : readFile(file))
  const left = fileNames.filter((file) => !isGone(file))
  const program = ts.createProgram(left, { ...options, noEmit: true, declaration: false }, host)
  const files = ts.getPreEmitDiagnostics(program).map(({ file }) => file?.fileName ?? 'no file')
  return [...new Set(files.map((file) => path.relative(ROOT, file)))].sort()
}

// The step in server.ts, the row of the flag, and what test runners import where it speaks of the option.
test.each([
  ['lib/options/sandboxes', ['server.ts']],
  ['lib/options/docs', ['lib/cli/flags/flags.ts', 'server.ts']],
  ['lib/options/faults', ['lib/cli/flags/flags.ts', 'lib/testing/sandbox.ts', 'server.ts']],
])('without %s, nothing else has to be changed than %j', (folder, expected) => {
  expect(brokenWithout(folder)).toEqual(expected)
})

test('the whole program compiles, so that what is broken is broken by the missing folder', () => {
  expect(brokenWithout('lib/options/none')).toEqual([])
})
