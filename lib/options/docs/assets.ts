import { existsSync } from 'node:fs'
import path from 'node:path'

const OWN_FILES = [
  'page.css',
  'swagger-ui-changes.css',
  'contrast.css',
  'page.mjs',
  'additions.mjs',
  'operations.mjs',
  'session.mjs',
]

/** The files that the page loads, its own and those of Swagger UI. */
export function pageFiles(): string[] {
  const library = libraryFolder()
  return [
    ...OWN_FILES.map((name) => path.join(__dirname, 'page', name)),
    path.join(library, 'swagger-ui.css'),
    path.join(library, 'swagger-ui-bundle.js'),
  ]
}

/**
 * Swagger UI's files: the published package contains them; in a checkout they are a development dependency.
 */
function libraryFolder(): string {
  const packed = path.join(__dirname, 'swagger-ui')
  return existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
}
