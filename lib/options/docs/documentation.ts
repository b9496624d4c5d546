import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type RequestHandler, static as staticFiles } from 'express'
import { type Credentials, sampleLogin, whoCanLogIn } from '../../auth/credentials'
import type { DataSource } from '../../data/data-source'
import { logNotes } from '../../http/log/log-notes'
import { PreparedResponse } from '../../http/prepared-response'
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
  /** Whether responses may be compressed. */
  compress: boolean
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
  const send = (prepared: () => PreparedResponse): RequestHandler => {
    return (request, response, next) => {
      prepared().send(request, response, { compression: compress }).catch(next)
    }
  }
  const sendOfPage = (prepared: () => PreparedResponse): RequestHandler => {
    const sendPrepared = send(prepared)
    return (request, response, next) => sendPrepared(request, response.set(SECURITY_HEADERS), next)
  }
  const sendFile = (file: string): RequestHandler => {
    let prepared: PreparedResponse | undefined
    // Compressing Swagger UI's script takes 50 ms of a thread that the data file needs, too.
    return sendOfPage(() => (prepared ??= new PreparedResponse([readFileSync(file)], typeOf(file))))
  }
  const modules = additions.flatMap(({ pageModule = [] }) => pageModule)
  const moduleExports = modules.map(
    (file, index) => `export { default as module${index} } from './${path.basename(file)}'\n`,
  )
  const added = new PreparedResponse([Buffer.from(moduleExports.join(''))], typeOf('added.mjs'))
  const responders: Record<string, RequestHandler> = {
    [DOCUMENT_PATH]: send(document),
    '/': redirect(PAGE_PATH.slice(1)),
    // The addresses in the page are relative, so that it works behind a prefix: with a slash at the end they
    // would be wrong.
    [`${PAGE_PATH}/`]: redirect(`..${PAGE_PATH}`),
    [PAGE_PATH]: sendOfPage(page),
    [`${PAGE_PATH}/added.mjs`]: sendOfPage(() => added),
    // The page reads the document here: where others ask for it, the log shows them.
    [`${PAGE_PATH}${DOCUMENT_PATH}`]: send(document),
  }
  for (const file of [...pageFiles(), ...modules])
    responders[`${PAGE_PATH}/${path.basename(file)}`] = sendFile(file)

  return function documentationMiddleware(request, response, next) {
    const respond = isRead(request) && responders[request.path]
    if (!respond) return next()
    if (request.path.startsWith(`${PAGE_PATH}/`)) logNotes(response).isLeftOut = true
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

function typeOf(file: string): string {
  return `${staticFiles.mime.lookup(file)}; charset=utf-8`
}

/** Gives the page, made again only after a reload of the data. */
function currentPage({ data, ...options }: DocumentationOptions): () => PreparedResponse {
  const make = () => {
    const html = pageHtml({ ...options, users: data.state.users })
    return new PreparedResponse([Buffer.from(html)], typeOf(PAGE_FILE))
  }
  let page = make()
  data.on('reload', () => {
    page = make()
  })
  return () => page
}

/** Gives the document, made again only after a reload of the data or a change of the rules. */
function currentDocument(options: DocumentationOptions): () => PreparedResponse {
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
      (rules) =>
        new PreparedResponse([Buffer.from(JSON.stringify(makeDocument(resources, rules, settings)))]),
    )
  }
  // The data is described before the first write, because the document shows it as it was loaded.
  let document = describe()
  data.on('reload', () => {
    document = describe()
  })
  return () => document()
}
