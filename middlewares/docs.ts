import type { RequestHandler } from 'express'
import { sampleLogin } from '../lib/auth/credentials'
import { DataFile } from '../lib/data/data-file'
import type { DataSource } from '../lib/data/data-source'
import { inOrder } from '../lib/http/express/in-order'
import { PreparedJson } from '../lib/http/prepared-json'
import { type CurrentRules, madeFromRules } from '../lib/http/rewrite-rules'
import { pageFile, pageFiles } from '../lib/openapi/assets'
import type { DocumentSettings } from '../lib/openapi/context'
import { makeDocument } from '../lib/openapi/document'
import { DOCUMENT_PATH, PAGE_PATH } from '../lib/openapi/own-paths'
import { describeResources } from '../lib/openapi/resources/describe-resources'
import { gzip as compression } from './gzip'

export interface DocumentationOptions extends Omit<DocumentSettings, 'savesToFile' | 'sampleLogin'> {
  /** The data that the document describes; it is made again after each reload. */
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
 * `--docs`, all without a token: `GET /openapi.json`, an OpenAPI 3.1 document of this server; `GET /docs`, a
 * page to read it and to try requests; and `GET /`, which redirects there. Any other request is passed on
 * untouched: an Express router would respond to OPTIONS by itself.
 *
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentation(options: DocumentationOptions): RequestHandler {
  const document = currentDocument(options)
  const sendDocument: RequestHandler = (request, response, next) => {
    document().send(request, response, { compression: options.gzip }).catch(next)
  }
  const responders = new Map<string, RequestHandler>([
    [DOCUMENT_PATH, sendDocument],
    ['/', leadTo(PAGE_PATH.slice(1))],
    // The addresses in the page are relative, so that it works behind a prefix: with a slash at the end they
    // would be wrong.
    [`${PAGE_PATH}/`, leadTo(`..${PAGE_PATH}`)],
    [PAGE_PATH, sendPart(pageFile(), options)],
  ])
  for (const [name, file] of pageFiles()) responders.set(`${PAGE_PATH}/${name}`, sendPart(file, options))

  return function documentationMiddleware(request, response, next) {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const respond = isRead ? responders.get(request.path) : undefined
    if (respond === undefined) next()
    else respond(request, response, next)
  }
}

function leadTo(address: string): RequestHandler {
  return (_request, response) => response.redirect(address)
}

/** Sends a file of the page. */
function sendPart(file: string, { gzip }: Pick<DocumentationOptions, 'gzip'>): RequestHandler {
  const send: RequestHandler = (_request, response) => response.set(SECURITY_HEADERS).sendFile(file)
  return gzip ? inOrder([compression(), send]) : send
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
