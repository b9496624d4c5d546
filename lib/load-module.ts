import path from 'node:path'
import { errorCode } from './error-code'
import { isRecord } from './is-record'

/**
 * Loads a module of the user's, as it is on the disk now: it and the user's own modules below it are read anew.
 *
 * @param file path of a JavaScript file, or of a TypeScript file where ts-node is installed
 * @returns what it exports; the default export where there is one
 */
export function loadModule(file: string): unknown {
  const filename = path.resolve(file)
  if (filename.endsWith('.ts')) registerTypeScript()
  // Modules are remembered by their real paths.
  forget(require.resolve(filename))
  const exported: unknown = require(filename)
  return isRecord(exported) && 'default' in exported ? exported.default : exported
}

/** From a checkout, ts-node runs us already; an installed package takes the one of the project that it is installed in. */
function registerTypeScript(): void {
  if (require.extensions['.ts'] !== undefined) return
  loadTsNode().register({
    transpileOnly: true,
    // The file's project may have no tsconfig.json, and TypeScript 6 refuses what ts-node then takes.
    skipProject: true,
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      esModuleInterop: true,
      rootDir: path.parse(process.cwd()).root,
    },
  })
}

function loadTsNode(): typeof import('ts-node') {
  try {
    return require('ts-node')
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new Error('TypeScript needs ts-node: npm install --save-dev ts-node typescript')
  }
}

function forget(filename: string): void {
  const loaded = require.cache[filename]
  if (loaded === undefined || filename.includes(`${path.sep}node_modules${path.sep}`)) return
  // First of all, so that a circle of modules comes to an end.
  delete require.cache[filename]
  for (const child of loaded.children) forget(child.filename)
}
