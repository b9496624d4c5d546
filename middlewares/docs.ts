import { type RequestHandler, Router } from 'express'
import { sampleLogin } from '../lib/auth/credentials'
import { DataFile } from '../lib/data/data-file'
import type { DataSource } from '../lib/data/data-source'
import { PreparedJson } from '../lib/http/prepared-json'
import { type CurrentRules, madeFromRules } from '../lib/http/rewrite-rules'
import { pageFile, pageFiles } from '../lib/openapi/assets'
import type { DocumentSettings } from '../lib/openapi/context'
import { makeDocument } from '../lib/openapi/document'
import { describeResources } from '../lib/openapi/resources/resource-model'
import { gzip as compression } from './gzip'

export interface DocumentationOptions extends Omit<DocumentSettings, 'savesToFile' | 'sampleLogin'> {
  /** What the document is made from, again after each reload. */
  data: DataSource
  /** The rewrite rules, or a function that returns the current ones. */
  routes: CurrentRules
  /** Whether responses may be compressed. */
  gzip: boolean
}

/** The page loads everything from this server, and can send nothing to another. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * `--docs`, all without a token: `GET /openapi.json`, an OpenAPI 3.1 document of this server; `GET /docs`, a page to read
 * it and to try requests; and `GET /`, which leads there. Any other request is passed on.
 *
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentation(options: DocumentationOptions): RequestHandler {
  const document = currentDocument(options)
  const files = pageFiles()
  const router = Router({ caseSensitive: true, strict: true })

  if (options.gzip) router.use(['/docs', '/docs/*'], compression())
  router.get('/openapi.json', function openApiDocument(request, response, next) {
    document().send(request, response, { compression: options.gzip }).catch(next)
  })
  router.get('/', function leadToPage(_request, response) {
    response.redirect('docs')
  })
  // The addresses in the page are relative, so that it works behind a prefix: with a slash at the end they would be wrong.
  router.get('/docs/', function leadToPage(_request, response) {
    response.redirect('../docs')
  })
  router.get('/docs', function page(_request, response) {
    response.set(SECURITY_HEADERS).sendFile(pageFile())
  })
  router.get('/docs/:file', function pagePart(request, response, next) {
    const file = files.get(request.params.file)
    if (file === undefined) return next()
    response.set(SECURITY_HEADERS).sendFile(file)
  })
  return router
}

/** Gives the document, made again only after a reload of the data or a change of the rules. */
function currentDocument(options: DocumentationOptions): () => PreparedJson {
  const { data, routes } = options
  const describe = () => {
    const resources = describeResources(data.state, options)
    const settings = {
      ...options,
      sampleLogin: sampleLogin(data.state.users),
      savesToFile: data instanceof DataFile,
    }
    return madeFromRules(routes, (rules) => new PreparedJson(makeDocument(resources, rules, settings), 0))
  }
  // Before the first write: the document shows the data as it was loaded.
  let document = describe()
  data.on('reload', () => {
    document = describe()
  })
  return () => document()
}
