import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Request, type RequestHandler, static as staticFiles } from 'express'
import { type BuiltInRoute, isFor } from '../../auth/built-in-route'
import { DOCUMENT_PATH, PAGE_PATH } from '../../auth/paths'
import { madeFrom } from '../../current'
import type { DataSource } from '../../data/data-source'
import { notesOf } from '../../http/notes'
import type { DescribedSchemas } from '../../http/openapi'
import { PreparedResponse } from '../../http/prepared-response'
import { isRead } from '../../http/request'
import { type DocumentOptions, makeDocument } from './document'

interface DocumentationOptions extends DocumentOptions {
  /** The data that the document describes as it was loaded. */
  readonly data: DataSource
  /** Whether responses may be compressed. */
  readonly compress: boolean
  /** What schemas say of the data now. Default: there are none. */
  readonly describedSchemas?: (() => DescribedSchemas) | undefined
}

/** The page loads everything from this server, and can send nothing to another. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** The page to which a provider sends the browser back, in a window of its own. */
const REDIRECT_FILES = ['oauth2-redirect.html', 'oauth2-redirect.js']

/**
 * `--docs`, all without a token: `GET /openapi.json`, an OpenAPI 3.1 document of this server; `GET /docs`, Swagger UI to
 * read it and to try requests; and `GET /`, which redirects there. Any other request is passed on untouched: an Express
 * router would respond to OPTIONS by itself.
 *
 * @throws Error when Swagger UI is neither packed nor installed
 */
export function documentation(options: DocumentationOptions): { page: RequestHandler; route: BuiltInRoute } {
  const document = currentDocument(options)
  const files = pageFiles(options.openid)
  const route: BuiltInRoute = {
    hasPath: (path) => ['/', `${PAGE_PATH}/`, DOCUMENT_PATH].includes(path) || files.has(path),
    hasMethod: (method) => isRead({ method }),
    isOpen: true,
    mayBeRewritten: false,
    // The start names them in a line of their own.
    shown: () => [],
  }
  const page: RequestHandler = (request, response, next) => {
    if (!isFor(route, request)) return next()
    const { path } = request
    if (path === '/') return response.redirect(pageFrom(request))
    // The addresses in the page are relative: with a slash at the end they would be wrong.
    if (path === `${PAGE_PATH}/`) return response.redirect(`..${PAGE_PATH}`)
    notesOf(request).isUnlogged = path.startsWith(`${PAGE_PATH}/`)
    response.set(SECURITY_HEADERS)
    const current = files.get(path) ?? document()
    current.send(request, response, { compression: options.compress }).catch(next)
  }
  return { page, route }
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

/**
 * The page and the files that it loads, its own and those of Swagger UI, by their paths.
 *
 * @param openid whether a provider sends the browser back to one of them
 */
function pageFiles(openid: boolean): Map<string, PreparedResponse> {
  const own = path.join(__dirname, 'page')
  // The published package contains Swagger UI's files; in a checkout they are a development dependency.
  const packed = path.join(__dirname, 'swagger-ui')
  const library = existsSync(packed) ? packed : path.dirname(require.resolve('swagger-ui-dist/package.json'))
  const files = [
    ...['page.html', 'page.css', 'page.mjs'].map((name) => path.join(own, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', ...(openid ? REDIRECT_FILES : [])].map((name) =>
      path.join(library, name),
    ),
  ]
  return new Map(
    files.map((file) => {
      const { base } = path.parse(file)
      const response = new PreparedResponse(
        readFileSync(file),
        `${staticFiles.mime.lookup(base)}; charset=utf-8`,
      )
      return [base === 'page.html' ? PAGE_PATH : `${PAGE_PATH}/${base}`, response]
    }),
  )
}

/** Gives the document, made when it is first asked for, and again after each reload of the data or the schemas. */
function currentDocument({
  data,
  describedSchemas,
  ...options
}: DocumentationOptions): () => PreparedResponse {
  const documentWith = (schemas: DescribedSchemas | undefined) =>
    madeFrom(
      () => data.loaded,
      (loaded) =>
        new PreparedResponse(Buffer.from(JSON.stringify(makeDocument(loaded, { ...options, schemas })))),
    )
  if (describedSchemas === undefined) return documentWith(undefined)
  const current = madeFrom(describedSchemas, documentWith)
  return () => current()()
}
