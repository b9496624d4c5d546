import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { type Credentials, sampleLogin, whoCanLogIn } from '../../auth/credentials'
import type { DataSource } from '../../data/data-source'
import { inOrder } from '../../http/express/steps'
import { leaveOutOfLog } from '../../http/log/line-notes'
import { PreparedJson } from '../../http/prepared-json'
import { isRead } from '../../http/request'
import { type CurrentRules, madeFromRules } from '../../http/rewrite-rules'
import type { DocumentOptions } from './context'
import { makeDocument } from './document'
import { DOCUMENT_PATH, PAGE_PATH } from './own-paths'
import { PAGE_FILE, pageHtml } from './page-html'
import { describeResources } from './resources/describe-resources'

export interface DocumentationOptions extends DocumentOptions {
  /** The data that the document describes; it is made again after each reload. */
  data: DataSource
  /** Logins that are not in the data. */
  logins: readonly Credentials[]
  /** The rewrite rules, or a function that returns the current ones. */
  routes: CurrentRules
  /** The step that compresses responses, where they may be. */
  compress: RequestHandler | undefined
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
  const { additions, compress } = options
  const document = currentDocument(options)
  const page = currentPage(options)
  const redirect = (address: string): RequestHandler => {
    return (_request, response) => response.redirect(address)
  }
  const compressed = (send: RequestHandler) => (compress === undefined ? send : inOrder([compress, send]))
  const sendFile = (file: string) =>
    compressed((_request, response) => response.set(SECURITY_HEADERS).sendFile(file))
  const modules = additions.flatMap(({ pageModule = [] }) => pageModule)
  const moduleExports = modules.map(
    (file, index) => `export { default as module${index} } from './${path.basename(file)}'\n`,
  )
  const sendDocument: RequestHandler = (request, response, next) => {
    document()
      .send(request, response, { compression: compress !== undefined })
      .catch(next)
  }
  const responders: Record<string, RequestHandler> = {
    [DOCUMENT_PATH]: sendDocument,
    '/': redirect(PAGE_PATH.slice(1)),
    // The addresses in the page are relative, so that it works behind a prefix: with a slash at the end they
    // would be wrong.
    [`${PAGE_PATH}/`]: redirect(`..${PAGE_PATH}`),
    [PAGE_PATH]: compressed((_request, response) => response.set(SECURITY_HEADERS).type('html').send(page())),
    [`${PAGE_PATH}/added.mjs`](_request, response) {
      response.set(SECURITY_HEADERS).type('mjs').send(moduleExports.join(''))
    },
    // The page reads the document here: where others ask for it, the log shows them.
    [`${PAGE_PATH}${DOCUMENT_PATH}`]: sendDocument,
  }
  for (const file of [...pageFiles(), ...modules])
    responders[`${PAGE_PATH}/${path.basename(file)}`] = sendFile(file)

  return function documentationMiddleware(request, response, next) {
    const respond = isRead(request) && responders[request.path]
    if (!respond) return next()
    if (request.path.startsWith(`${PAGE_PATH}/`)) leaveOutOfLog(response)
    respond(request, response, next)
  }
}

/** The files that the page loads, its own and those of Swagger UI. */
function pageFiles(): string[] {
  const own = path.dirname(PAGE_FILE)
  // The published package contains Swagger UI's files; in a checkout they are a development dependency.
  const packed = path.join(__dirname, 'swagger-ui')
  const library = existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
  return [
    ...readdirSync(own).map((name) => path.join(own, name)),
    path.join(library, 'swagger-ui.css'),
    path.join(library, 'swagger-ui-bundle.js'),
  ].filter((file) => file !== PAGE_FILE)
}

/** Gives the page, made again only after a reload of the data. */
function currentPage({ data, ...options }: DocumentationOptions): () => string {
  let page = pageHtml({ ...options, users: data.state.users })
  data.on('reload', () => {
    page = pageHtml({ ...options, users: data.state.users })
  })
  return () => page
}

/** Gives the document, made again only after a reload of the data or a change of the rules. */
function currentDocument(options: DocumentationOptions): () => PreparedJson {
  const { data, logins, routes } = options
  const describe = () => {
    const { users } = data.state
    const resources = describeResources(data.state, options)
    const settings = {
      ...options,
      sampleLogin: sampleLogin(users) ?? sampleLogin(logins),
      hasLogins: logins.length > 0,
      loginName: whoCanLogIn(users).length > 0 ? undefined : logins[0]?.email,
    }
    return madeFromRules(
      routes,
      (rules) => new PreparedJson(Buffer.from(JSON.stringify(makeDocument(resources, rules, settings)))),
    )
  }
  // Before the first write: the document shows the data as it was loaded.
  let document = describe()
  data.on('reload', () => {
    document = describe()
  })
  return () => document()
}
