import path from 'node:path'
import { types } from 'node:util'
import { errorCode, errorMessage } from '../error-code'
import { isRecord } from '../is-record'

/** Whether a file is a module, by its name. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file)
}

/**
 * A user's module that cannot be loaded. The message is a clause for the person who wrote it; the cause is what
 * the module has thrown, whose stack tells the line.
 */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/**
 * Loads a user's module as it is on the disk now: it is read again, and so are the user's modules that it
 * requires. An ES module cannot be read again.
 *
 * @param file path of a JavaScript file, or of a TypeScript file where ts-node is installed
 * @returns what it exports; the default export if it has one
 * @throws LoadError when the module cannot be compiled, or has failed
 */
export function loadModule(file: string): unknown {
  const filename = path.resolve(file)
  if (filename.endsWith('ts')) registerTypeScript()
  // The cache names modules by their real paths.
  const resolved = require.resolve(filename)
  if (types.isModuleNamespaceObject(require.cache[resolved]?.exports))
    throw new LoadError('Node.js loads an ES module only once: restart the server to use its change')
  forget(resolved)
  const exported = exportsOf(filename)
  return isRecord(exported) && 'default' in exported ? exported.default : exported
}

function exportsOf(filename: string): unknown {
  try {
    return require(filename)
  } catch (error) {
    // The message of what ts-node throws says only that it cannot compile; this text says where and why.
    if (isRecord(error) && error.diagnosticText) throw new LoadError(errorMessage(error.diagnosticText))
    const problem = errorMessage(error)
    const isInModule = /^(module|exports) is not defined in ES module scope/.test(problem)
    const advice = `the package is a module: name it ${path.parse(filename).name}.cjs, or write export default`
    throw new LoadError(isInModule ? advice : problem, { cause: error })
  }
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
    throw new LoadError('TypeScript needs ts-node: npm install --save-dev ts-node typescript@6')
  }
}

function forget(filename: string): void {
  const loaded = require.cache[filename]
  if (loaded === undefined || filename.includes(`${path.sep}node_modules${path.sep}`)) return
  // A cycle of modules ends because the module is deleted before its children.
  delete require.cache[filename]
  for (const child of loaded.children) forget(child.filename)
}
