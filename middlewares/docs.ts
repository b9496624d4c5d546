import { type RequestHandler, Router } from 'express'
import type { DataSource } from '../lib/data/data-source'
import { PreparedJson } from '../lib/http/prepared-json'
import { pageFile, pageFiles } from '../lib/openapi/assets'
import { makeDocument, RESERVED } from '../lib/openapi/document'
import { describeResources } from '../lib/openapi/resources/resource-model'
import { gzip as compressAnswers } from './gzip'
import type { CurrentRules, RewriteRules } from './rewriter'
import type { LookupUser } from './user-lookup'

export interface DocsOptions {
  /** What the document is made from; it is made anew when other data takes its place. */
  data: DataSource
  /** The rewrite rules, or what gives the current ones. Default: none. */
  routes?: CurrentRules
  /** The publicly readable collection, or false for none. Default: `blogs`. */
  publicCollection?: string | false
  /** Whether the public list shows later changes. Default: false. */
  live?: boolean
  /** Whether changes are refused: they are then left out. Default: false. */
  readOnly?: boolean
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** What ends the name of a foreign key. Default: `Id`. */
  foreignKeySuffix?: string
  /** Seconds that a token lasts. Default: 3,600. */
  tokenLifetime?: number
  /** The records of the user lookup service, for an example. */
  lookupUsers?: readonly LookupUser[]
  /** Whether answers may be compressed. Default: true. */
  gzip?: boolean
}

/** Everything comes from this server, and nothing in the page can run or be sent elsewhere. */
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
export function docs(options: DocsOptions): RequestHandler {
  const { gzip = true } = options
  const document = currentDocument(options)
  const files = pageFiles()
  const router = Router({ caseSensitive: true, strict: true })

  if (gzip) router.use(['/docs', '/docs/*'], compressAnswers())
  router.get('/openapi.json', function openApiDocument(request, response, next) {
    document().send(request, response, { compression: gzip }).catch(next)
  })
  router.get('/', function leadToPage(_request, response) {
    response.redirect('docs')
  })
  // The addresses in the page are relative, so that it works behind a prefix, and a slash at the end would lead them astray.
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

/** Gives the document, made anew only when the data was loaded anew or the rules have changed. */
function currentDocument(options: DocsOptions): () => PreparedJson {
  const { data, routes = {}, idProperty = 'id', lookupUsers } = options
  const settings = {
    publicCollection: options.publicCollection ?? 'blogs',
    live: options.live ?? false,
    readOnly: options.readOnly ?? false,
    idProperty,
    foreignKeySuffix: options.foreignKeySuffix ?? 'Id',
    tokenLifetime: options.tokenLifetime ?? 3600,
    lookupUser: lookupUsers?.[0],
  }
  const currentRules = (): RewriteRules => (typeof routes === 'function' ? routes() : routes)
  // At once, before the first write: the document shows the data as it was loaded.
  const describe = () => describeResources(data.state, { idProperty, ...RESERVED })
  let resources = describe()
  let rules = currentRules()
  let prepared: PreparedJson | undefined
  data.on('reload', () => {
    resources = describe()
    prepared = undefined
  })
  return () => {
    if (rules !== currentRules()) {
      rules = currentRules()
      prepared = undefined
    }
    prepared ??= new PreparedJson(makeDocument(resources, rules, settings))
    return prepared
  }
}
