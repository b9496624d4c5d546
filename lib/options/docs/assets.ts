import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The page itself, which has an address of its own. */
export const PAGE_FILE = path.join(__dirname, 'page/index.html')

/** The files that the page loads, its own and those of Swagger UI. */
export function pageFiles(): string[] {
  const own = path.dirname(PAGE_FILE)
  const library = libraryFolder()
  return [
    ...readdirSync(own).map((name) => path.join(own, name)),
    path.join(library, 'swagger-ui.css'),
    path.join(library, 'swagger-ui-bundle.js'),
  ].filter((file) => file !== PAGE_FILE)
}

/**
 * Swagger UI's files: the published package contains them; in a checkout they are a development dependency.
 */
function libraryFolder(): string {
  const packed = path.join(__dirname, 'swagger-ui')
  return existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
}
