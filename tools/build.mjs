// Makes dist/, which the package holds. npm runs this for `npm pack` and `npm publish` (`prepack`), and for installs
// from git (`prepublish`, which belongs to installing, not to publishing). With `prepare` in its place, npm 11 and 12
// warn whoever installs the packed file that a script was not run.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/** What the page of --docs takes from Swagger UI. */
const SWAGGER_UI = [
  'LICENSE',
  'NOTICE',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
]

// Whoever runs `npm ci` works on the source, which runs without being built.
const { npm_command: command, npm_lifecycle_event: script } = process.env
if (!(command === 'ci' && script === 'prepublish')) build()

/** A folder, or a file that the page of --docs loads. */
function isOfPage(file) {
  return statSync(file).isDirectory() || /\.(css|html|mjs)$/.test(file)
}

function build() {
  const dist = path.join(ROOT, 'dist')
  const compiler = path.join(ROOT, 'node_modules/typescript-7/bin/tsc')
  const swaggerUi = path.dirname(require.resolve('swagger-ui-dist/package.json'))
  rmSync(dist, { recursive: true, force: true })
  const project = path.join(ROOT, 'tsconfig.build.json')
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' })
  cpSync(path.join(ROOT, 'lib'), path.join(dist, 'lib'), { recursive: true, filter: isOfPage })
  for (const file of SWAGGER_UI)
    cpSync(path.join(swaggerUi, file), path.join(dist, 'lib/options/docs/swagger-ui', file))
}
