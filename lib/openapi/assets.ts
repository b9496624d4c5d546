import { existsSync } from 'node:fs'
import path from 'node:path'

/** The page's own files beside it. */
const OWN_FILES = [
  'page.css',
  'swagger-ui-changes.css',
  'contrast.css',
  'page.mjs',
  'operations.mjs',
  'sandbox.mjs',
  'session.mjs',
] as const

/** The files of the page, by the names under which they are served. */
export function pageFiles(): Map<string, string> {
  const page = path.join(__dirname, 'page')
  const library = libraryFolder()
  return new Map([
    ...OWN_FILES.map((name): [string, string] => [name, path.join(page, name)]),
    ['swagger-ui.css', path.join(library, 'swagger-ui.css')],
    ['swagger-ui-bundle.js', path.join(library, 'swagger-ui-bundle.js')],
  ])
}

/** The page itself. */
export function pageFile(): string {
  return path.join(__dirname, 'page', 'index.html')
}

/**
 * Swagger UI's files: the published package contains them; in a checkout they are a development dependency.
 */
function libraryFolder(): string {
  const packed = path.join(__dirname, 'swagger-ui')
  return existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
}
