/** A step of `npm run build`: puts the page and what it needs of Swagger UI into the package. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const source = new URL('page/', import.meta.url)
const library = new URL('../../node_modules/swagger-ui-dist/', import.meta.url)
const target = new URL('../../dist/lib/openapi/', import.meta.url)

cpSync(source, new URL('page/', target), { recursive: true })
mkdirSync(new URL('swagger-ui/', target), { recursive: true })
for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) copy(name)
// Without the address of a source map that the package does not have.
for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
  copy(name, (text) => text.replace(/^(?:\/\/#|\/\*#) sourceMappingURL=.*$/gm, ''))
}

function copy(name, change = (text) => text) {
  const text = readFileSync(new URL(name, library), 'utf8')
  writeFileSync(new URL(`swagger-ui/${name}`, target), change(text))
}
