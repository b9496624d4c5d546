import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import { errorCode, errorMessage } from '../error-code'
import { isRecord } from '../is-record'

/** Whether a file is a module, by its name. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file)
}

/**
 * Loads a user's module as it is on the disk now: it is read again, and so are the user's modules that it
 * requires. An ES module cannot be read again.
 *
 * @param file path of a JavaScript file, or of a TypeScript file where ts-node is installed
 * @returns what it exports; the default export if it has one
 * @throws Error that ends with the file and the line where the module has failed
 */
export function loadModule(file: string): unknown {
  const filename = path.resolve(file)
  try {
    if (filename.endsWith('ts')) registerTypeScript()
    // The cache names modules by their real paths.
    const resolved = require.resolve(filename)
    if (types.isModuleNamespaceObject(require.cache[resolved]?.exports))
      throw new Error('Node.js loads an ES module only once: restart the server to use its change')
    forget(resolved)
    const exported: unknown = require(filename)
    return isRecord(exported) && 'default' in exported ? exported.default : exported
  } catch (error) {
    // The first line of what ts-node throws says only that it cannot compile.
    const problem = errorMessage((isRecord(error) && error.diagnosticText) || error)
    const isInModule = /^(module|exports) is not defined in ES module scope/.test(problem)
    const advice = `the package is a module: name it ${path.parse(file).name}.cjs, or write export default`
    throw new Error(`${isInModule ? advice : problem}${placeOf(error, filename)}`, { cause: error })
  }
}

/**
 * Where an error was thrown: the stack of a syntax error begins with the file and the line; any other stack
 * has them in a frame.
 */
function placeOf(error: unknown, filename: string): string {
  const stack = isRecord(error) ? String(error.stack) : ''
  const [, file = filename, line = lineIn(stack, filename)] = /^((?:\/|\w:\\).*):(\d+)$/m.exec(stack) ?? []
  return line === undefined ? '' : ` (${path.relative('', file)}:${line})`
}

/** The line of a file that a frame of a stack names. A frame names an ES module by its URL. */
function lineIn(stack: string, filename: string): string | undefined {
  for (const name of [filename, pathToFileURL(filename).href]) {
    const [, behind = ''] = stack.split(`${name}:`)
    const [line] = /^\d+/.exec(behind) ?? []
    if (line !== undefined) return line
  }
  return undefined
}

/**
 * In a checkout, ts-node is already running; an installed package uses the ts-node of the project in which it
 * is installed.
 */
function registerTypeScript(): void {
  if (require.extensions['.ts'] !== undefined) return
  try {
    const tsNode: typeof import('ts-node') = require('ts-node')
    tsNode.register({
      transpileOnly: true,
      skipProject: true,
      // ts-node refuses to require a file of a package whose type is `module`, unless it compiles the file to
      // CommonJS. An empty pattern matches every path, on each drive of Windows, too.
      moduleTypes: { '': 'cjs' },
      // TypeScript 6 deprecates an option that ts-node sets (`moduleResolution: node10`).
      ignoreDiagnostics: [5107],
    })
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new Error('TypeScript needs ts-node: npm install --save-dev ts-node typescript@6')
  }
}

function forget(filename: string): void {
  const loaded = require.cache[filename]
  if (loaded === undefined || filename.includes(`${path.sep}node_modules${path.sep}`)) return
  // A cycle of modules ends because the module is deleted before its children.
  delete require.cache[filename]
  for (const child of loaded.children) forget(child.filename)
}
