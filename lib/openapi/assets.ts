import { existsSync } from 'node:fs'
import path from 'node:path'

/** The files of the page, by the names under which they are served. */
export function pageFiles(): Map<string, string> {
  const page = path.join(__dirname, 'page')
  const library = libraryFolder()
  return new Map([
    ['page.css', path.join(page, 'page.css')],
    ['page.js', path.join(page, 'page.js')],
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
