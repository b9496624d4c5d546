import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Request, type RequestHandler, static as staticFiles } from 'express'
import { DOCUMENT_PATH, PAGE_PATH } from '../../auth/access-policy'
import { type Credentials, sampleLogin } from '../../auth/credentials'
import { asService, isFor, type Service } from '../../auth/service'
import type { DataSource } from '../../data/data-source'
import type { Data } from '../../data/valid-data'
import { logNotes } from '../../http/log/log-notes'
import { PreparedResponse } from '../../http/prepared-response'
import { isRead } from '../../http/request'
import { type DocumentOptions, makeDocument } from './document'

export interface DocumentationOptions extends Omit<DocumentOptions, 'shownLogin' | 'hasLogins'> {
  /** The data that the document describes as it was loaded. */
  readonly data: DataSource
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** Whether responses may be compressed. */
  readonly compress: boolean
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
 * `--docs`, all without a token: `GET /openapi.json`, an OpenAPI 3.1 document of this server; `GET /docs`, Swagger UI to
 * read it and to try requests; and `GET /`, which redirects there. Any other request is passed on untouched: an Express
 * router would respond to OPTIONS by itself.
 *
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentation(options: DocumentationOptions): RequestHandler {
  const responses = new Map([
    [DOCUMENT_PATH, currentDocument(options)],
    [PAGE_PATH, prepared(path.join(PAGE_FOLDER, 'page.html'))],
    ...pageFiles().map((file) => [`${PAGE_PATH}/${path.basename(file)}`, prepared(file)] as const),
  ])
  const service: Service = {
    hasPath: (path) => path === '/' || path === `${PAGE_PATH}/` || responses.has(path),
    hasMethod: (method) => isRead({ method }),
    isOpen: true,
    isRewritten: false,
    // The start names them in a line of their own.
    routes: () => [],
  }
  const step: RequestHandler = (request, response, next) => {
    if (!isFor(service, request)) return next()
    if (request.path === '/') return response.redirect(pageFrom(request))
    // The addresses in the page are relative: with a slash at the end they would be wrong.
    if (request.path === `${PAGE_PATH}/`) return response.redirect(`..${PAGE_PATH}`)
    const current = responses.get(request.path)
    if (current === undefined) return next()
    if (request.path.startsWith(`${PAGE_PATH}/`)) logNotes(response).isLeftOut = true
    response.set(SECURITY_HEADERS)
    current().send(request, response, { compression: options.compress }).catch(next)
  }
  return asService(service, step)
}

/**
 * The way from the root to the page, relative, because a proxy may strip a prefix. Where the application is mounted at
 * a path and that has no slash at its end, a browser takes the last part of it for a file.
 */
function pageFrom({ baseUrl, originalUrl }: Request): string {
  const isMount = originalUrl.split('?')[0] === baseUrl
  // Without the dot, a part such as `https:example.com` would be the address of another site.
  return isMount ? `./${path.posix.basename(baseUrl)}${PAGE_PATH}` : PAGE_PATH.slice(1)
}

/** The response with a file, made once: compressing Swagger UI's script takes 50 ms of a thread. */
function prepared(file: string): () => PreparedResponse {
  let response: PreparedResponse | undefined
  return () => {
    response ??= new PreparedResponse(readFileSync(file), `${staticFiles.mime.lookup(file)}; charset=utf-8`)
    return response
  }
}

const PAGE_FOLDER = path.join(__dirname, 'page')

/** The files that the page loads, its own and those of Swagger UI. */
function pageFiles(): string[] {
  // The published package contains Swagger UI's files; in a checkout they are a development dependency.
  const packed = path.join(__dirname, 'swagger-ui')
  const library = existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
  return [
    path.join(PAGE_FOLDER, 'page.css'),
    path.join(PAGE_FOLDER, 'page.mjs'),
    path.join(library, 'swagger-ui.css'),
    path.join(library, 'swagger-ui-bundle.js'),
  ]
}

/** Gives the document, made when it is first asked for, and again after each reload of the data. */
function currentDocument({ data, logins, ...options }: DocumentationOptions): () => PreparedResponse {
  let loaded: Data | undefined
  let response: PreparedResponse | undefined
  return () => {
    if (response !== undefined && loaded === data.loaded) return response
    loaded = data.loaded
    const shown = shownLogin(loaded, logins)
    const document = makeDocument(loaded, { ...options, shownLogin: shown, hasLogins: logins.length > 0 })
    response = new PreparedResponse(Buffer.from(JSON.stringify(document)))
    return response
  }
}

/**
 * The login that the document fills in. Everybody can read it, so it shows no password but the sample's, and no email
 * of a user in the data.
 */
function shownLogin({ users }: Data, logins: readonly Credentials[]): Credentials {
  const email = logins[0]?.email ?? ''
  return sampleLogin(users) ?? sampleLogin(logins) ?? { email, password: '' }
}
