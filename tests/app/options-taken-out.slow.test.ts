import path from 'node:path'
import ts from 'typescript'

const ROOT = path.resolve(__dirname, '../..')
const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.build.json'), ts.sys.readFile)
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)

/** Each file of the program and of its libraries, parsed once for all compilations. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/**
 * Compiles the program without a folder.
 *
 * @param before another compilation: what the folder cannot have broken is not checked again
 */
function compileWithout(folder: string, before?: ts.SemanticDiagnosticsBuilderProgram) {
  const isGone = (file: string) => path.resolve(file).startsWith(path.join(ROOT, folder) + path.sep)
  const host = ts.createIncrementalCompilerHost(options, {
    ...ts.sys,
    fileExists: (file) => !isGone(file) && ts.sys.fileExists(file),
    readFile: (file, encoding) => (isGone(file) ? undefined : ts.sys.readFile(file, encoding)),
  })
  const { getSourceFile } = host
  host.getSourceFile = (file, ...how) => {
    if (isGone(file)) return undefined
    if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...how))
    return parsed.get(file)
  }
  const left = fileNames.filter((file) => !isGone(file))
  const settings = { ...options, noEmit: true, declaration: false }
  return ts.createSemanticDiagnosticsBuilderProgram(left, settings, host, before)
}

/** The files that do not compile, by their paths. */
function brokenIn(program: ts.SemanticDiagnosticsBuilderProgram): string[] {
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ]
  const files = diagnostics.map(({ file }) => file?.fileName ?? 'no file')
  return [...new Set(files.map((file) => path.relative(ROOT, file)))].sort()
}

const whole = compileWithout('lib/options/none')

test('the whole program compiles, so that what is broken is broken by the missing folder', () => {
  expect(brokenIn(whole)).toEqual([])
})

// The step in server.ts, what the flag loads or says, and what test runners import where it speaks of the
// option.
test.each([
  ['lib/options/sandboxes', ['lib/testing/sandbox.ts', 'server.ts']],
  ['lib/options/docs', ['lib/cli/flags/flags.ts', 'server.ts']],
  ['lib/options/faults', ['lib/cli/flags/flag-options.ts', 'lib/testing/sandbox.ts', 'server.ts']],
])('without %s, nothing else has to be changed than %j', (folder, expected) => {
  expect(brokenIn(compileWithout(folder, whole))).toEqual(expected)
})
